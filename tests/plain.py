"""Records as plain Python values, to compare and to read in a failure."""

import json
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from campanula.formats.records.hope import Hope
from campanula.formats.records.kbest import KBest
from campanula.formats.stream_record import StreamRecord

PlainHope = tuple[int, int, list[int], list[float], str | None]
PlainList = dict[str, Any]  # by name of the column, as in JSON


@overload
def plain(record: KBest) -> PlainList: ...
@overload
def plain(record: Hope) -> PlainHope: ...
@overload
def plain(record: StreamRecord) -> PlainList | PlainHope: ...
def plain(record: StreamRecord) -> PlainList | PlainHope:
    """A record's content, whatever its ids and the split of its features."""
    if isinstance(record, Hope):
        columns = record.index.tolist(), record.weight.tolist()
        return record.sid, record.size, *columns, record.id
    assert isinstance(record, KBest)
    return {
        "sid": record.sid,
        **({} if record.id is None else {"id": record.id}),
        "text": list(record.text),
        "features": list(record.features.rows(record.names)),
        "score": None if record.score is None else record.score.tolist(),
        "stats": None if record.stats is None else record.stats.tolist(),
        "gain": None if record.gain is None else record.gain.tolist(),
        "fields": {name: list(texts) for name, texts in record.fields.items()},
    }


def json_lines(path: Path) -> list[dict[str, Any]]:
    """Objects of a file with one a line, such as a history."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


def float_column(values: ArrayLike) -> list[object]:
    """Wire form of any numbers, also of those that no Writer would write."""
    return ["<f8", np.asarray(values, "<f8").tobytes()]
