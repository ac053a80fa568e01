"""JSON lines: an object per hypothesis, or per list.

    {"id": 0, "text": "the cat sat", "features": {"LM0": -17.4, "TM0": [-0.2, -0.5]}, "score": -3.8}
    {"sid": 0, "hyps": [{"text": "the cat sat", "features": {"LM0": -17.4}, "gain": 0.41}]}

The second form, which `show` prints, holds all that a k-best stream holds.  An id may be text, too;
`show` prints it beside the sid.  Several values under
one name are numbered from 0; features without names are F0, F1, ...  A key that is none of these is
a field by its name: a string as it is, another value as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from campanula.formats.errors import LineError
from campanula.formats.json_keys import object_of
from campanula.formats.nbest.json_rows import check_text, row_of
from campanula.formats.nbest.reading import LineReader
from campanula.formats.nbest.rows import Row
from campanula.formats.nbest.sentence_ids import SentenceId, sentence_id_of
from campanula.formats.records.hope import Hope
from campanula.formats.records.kbest import KBest

IDS = ("sid", "id")
LISTS = ("hyps", "hypotheses", "nbest")


def reader() -> JsonReader:
    """A reader of one list."""
    return JsonReader()


def write(lists: Iterable[KBest], source: str) -> Iterator[str]:
    """Yield a line for every list."""
    for kbest in lists:
        yield json.dumps(list_object(kbest), ensure_ascii=False)


def list_object(kbest: KBest) -> dict[str, Any]:
    """A k-best list as JSON shows it: sid and hyps, with the keys that are there."""
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
    """Number of a sentence, and its id if it has one."""
    return {"sid": record.sid} if record.id is None else {"sid": record.sid, "id": record.id}


class JsonReader(LineReader):
    """Reads objects, a line each."""

    def read(self, line: str) -> Iterable[Row]:
        """Hypotheses of a line; raises LineError."""
        if not line.strip(" \t"):
            return ()
        return rows_of(object_of(line))


def rows_of(value: Mapping[str, Any]) -> list[Row]:
    """Hypotheses of an object; raises LineError."""
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
    """The one of several keys that an object has; raises LineError where it has more."""
    found = [key for key in keys if key in value]
    if len(found) > 1:
        raise LineError(f"expected {found[0]!r} or {found[1]!r}, found both")
    return found[0] if found else None


def shown_id(sid: SentenceId) -> str:
    """A sentence as a message names it."""
    name = sid[1] if isinstance(sid, tuple) else sid
    return repr(name)[:60]


def _sentence(value: Mapping[str, Any]) -> SentenceId:
    """Number of a sentence, its id, or both; raises LineError."""
    if "sid" not in value or "id" not in value:
        return sentence_under(next((key for key in IDS if key in value), "id"), value)
    sid, name = sentence_under("sid", value), sentence_under("id", value)
    if not isinstance(sid, int):
        raise LineError(
            f"expected the number of a sentence under 'sid', beside 'id', found {sid[:60]!r}"
        )
    return sid if sid == name else (sid, str(name))


def sentence_under(key: str, value: Mapping[str, Any]) -> int | str:
    """The id of a sentence under a key: a number or text; raises LineError."""
    found = value.get(key)
    if isinstance(found, str):
        check_text([found])
        return sentence_id_of(found)
    if isinstance(found, int) and not isinstance(found, bool) and found >= 0:
        return sentence_id_of(str(found))
    expected = f"expected the number or the id of a sentence under {key!r}"
    raise LineError(f"{expected}, found {repr(found)[:60]}")
