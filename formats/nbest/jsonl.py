"""JSON lines: one object per hypothesis, or one per list.

    {"id": 0, "text": "the cat sat", "features": {"LM0": -17.4, "TM0": [-0.2, -0.5]}, "score": -3.8}
    {"sid": 0, "hyps": [{"text": "the cat sat", "features": {"LM0": -17.4}, "gain": 0.41}]}

The second form, which `show` prints, has everything that a k-best stream has.  An id may be text;
`show` prints it beside the sid.  Several values of one feature are numbered from 0; features in an
array, without names, are F0, F1, ...  Any other key is a field: a string as it is, another value as
JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from campanula.formats.errors import SHOWN, LineError, quoted
from campanula.formats.json_objects import object_of
from campanula.formats.nbest.json_rows import row_of
from campanula.formats.nbest.json_values import check_text
from campanula.formats.nbest.reading import LineReader
from campanula.formats.nbest.rows import Row
from campanula.formats.nbest.sentence_ids import SentenceId, sentence_id_of
from campanula.formats.records.hope import Hope
from campanula.formats.records.kbest import KBest

IDS = ("sid", "id")
LISTS = ("hyps", "hypotheses", "nbest")


def reader() -> JsonReader:
    """Return a reader of lists."""
    return JsonReader()


def write(lists: Iterable[KBest], source: str) -> Iterator[str]:
    """Yield one line per list."""
    for kbest in lists:
        yield json.dumps(list_object(kbest), ensure_ascii=False)


def list_object(kbest: KBest) -> dict[str, Any]:
    """Return a k-best list as an object of JSON: sid and hyps, with the columns that it has."""
    columns: dict[str, Iterable[Any]] = {"text": kbest.text}
    if kbest.score is not None:
        columns["score"] = kbest.score.tolist()
    columns["features"] = kbest.features.rows(kbest.names)
    if kbest.stats is not None:
        columns["stats"] = kbest.stats.tolist()
    if kbest.gain is not None:
        columns["gain"] = kbest.gain.tolist()
    if kbest.fields:
        rows = zip(*kbest.fields.values(), strict=True)
        columns["fields"] = (dict(zip(kbest.fields, row, strict=True)) for row in rows)
    hyps = zip(*columns.values(), strict=True)
    return {**sentence_of(kbest), "hyps": [dict(zip(columns, hyp, strict=True)) for hyp in hyps]}


def sentence_of(record: KBest | Hope) -> dict[str, int | str]:
    """Return the keys of a record's sentence: its number, and its id if it has one."""
    return {"sid": record.sid} if record.id is None else {"sid": record.sid, "id": record.id}


class JsonReader(LineReader):
    """Reads one object per line."""

    def read(self, line: str) -> Iterable[Row]:
        """Return the hypotheses of a line; raises LineError."""
        if not line.strip(" \t"):
            return ()
        return rows_of(object_of(line))


def rows_of(value: Mapping[str, Any]) -> list[Row]:
    """Return the hypotheses of an object; raises LineError."""
    sid = _sentence(value)
    key = _only(LISTS, value)
    if key is None:
        return [row_of(sid, {name: value[name] for name in value if name not in IDS}, {})]
    if not isinstance(value[key], list) or not all(isinstance(h, dict) for h in value[key]):
        raise LineError(f"{key!r}: expected a list of objects")
    if not value[key]:
        raise LineError(f"sentence {shown_id(sid)}: expected hypotheses, found none")
    others = {name: value[name] for name in value if name not in (*IDS, key)}
    return [row_of(sid, hyp, others) for hyp in value[key]]


def _only(keys: Iterable[str], value: Mapping[str, Any]) -> str | None:
    """Return the one of `keys` that an object has, or None; raises LineError if it has several."""
    present = [key for key in keys if key in value]
    if len(present) > 1:
        raise LineError(f"expected {present[0]!r} or {present[1]!r}, found both")
    return present[0] if present else None


def shown_id(sid: SentenceId) -> str:
    """Return the id of a sentence as a message shows it."""
    name = sid[1] if isinstance(sid, tuple) else sid
    return repr(name)[:SHOWN]


def _sentence(value: Mapping[str, Any]) -> SentenceId:
    """Return the number of an object's sentence, its id, or both; raises LineError."""
    if "sid" not in value or "id" not in value:
        return sentence_under(next((key for key in IDS if key in value), "id"), value)
    sid = sentence_under("sid", value)
    name = sentence_under("id", value)
    if not isinstance(sid, int):
        raise LineError(
            f"expected the number of a sentence under 'sid', beside 'id', found {quoted(sid)}"
        )
    return sid if sid == name else (sid, str(name))


def sentence_under(key: str, value: Mapping[str, Any]) -> int | str:
    """Return the number or id of a sentence under a key; raises LineError."""
    name = value.get(key)
    if isinstance(name, str):
        check_text([name])
        return sentence_id_of(name)
    # JSON's true is an int in Python, too
    if isinstance(name, int) and not isinstance(name, bool) and name >= 0:
        return sentence_id_of(str(name))
    expected = f"expected the number or the id of a sentence under {key!r}"
    raise LineError(f"{expected}, found {repr(name)[:SHOWN]}")
