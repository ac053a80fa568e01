"""An independent reading of streams: what every list holds, in the simplest way."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgpack
import numpy as np

from tests.fuzzing.case import Loss

Hyp = tuple[str, frozenset[tuple[str, float]]]


@dataclass
class Listed:
    """A k-best list: text and features of every hypothesis, and the numbers it may have.

    The id of a sentence that has none is its number.
    """

    sid: int
    hyps: list[Hyp]
    score: list[float] | None
    gain: list[float] | None
    id: str


def column(value: Any) -> list[Any]:
    """The numbers of a column; raises Loss for what is not finite."""
    numbers = np.frombuffer(value[1], value[0]).tolist()
    if not all(map(math.isfinite, numbers)):
        raise Loss(f"a stream holds {numbers}")
    return numbers


def texts(value: Any) -> list[str]:
    """The texts of a blob and its lengths."""
    blob, lengths, at, found = value[0], column(value[1]), 0, []
    for length in lengths:
        found.append(blob[at : at + length].decode())
        at += length
    return found


def lists(path: Path) -> list[Listed]:
    """All lists of a k-best stream, or of a collection's shards, that must be sound."""
    if path.is_dir():
        return [one for shard in sorted(path.glob("shard-*")) for one in lists(shard)]
    messages = list(msgpack.Unpacker(io.BytesIO(path.read_bytes()), raw=False))
    names: list[str] = []
    found = []
    for record in messages[1:-1]:
        names += record.get("names", [])
        found.append(_listed(record, names))
    return found


def _listed(record: dict[str, Any], names: list[str]) -> Listed:
    text = texts(record["text"])
    rows: list[list[tuple[str, float]]] = [[] for _ in text]
    if "dense_id" in record:
        dense = column(record["dense"])
        for k, i in enumerate(column(record["dense_id"])):
            for j, row in enumerate(rows):
                row.append((names[i], dense[k * len(text) + j]))
    for kind in ("sparse", "binary"):
        if f"{kind}_id" not in record:
            continue
        ids = column(record[f"{kind}_id"])
        values = column(record["sparse_value"]) if kind == "sparse" else [1.0] * len(ids)
        at = 0
        for row, length in zip(rows, column(record[f"{kind}_length"]), strict=True):
            row += [
                (names[i], v)
                for i, v in zip(ids[at : at + length], values[at : at + length], strict=True)
            ]
            at += length
    for row in rows:
        if len({name for name, _ in row}) < len(row):
            raise Loss(f"a hypothesis has a feature twice: {row}")
    hyps = [(t, frozenset(row)) for t, row in zip(text, rows, strict=True)]
    score = column(record["score"]) if "score" in record else None
    gain = column(record["gain"]) if "gain" in record else None
    return Listed(record["sid"], hyps, score, gain, record.get("id", str(record["sid"])))
