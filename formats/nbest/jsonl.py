"""JSON lines: an object per hypothesis, or per list.

    {"id": 0, "text": "the cat sat", "features": {"LM0": -17.4, "TM0": [-0.2, -0.5]}, "score": -3.8}
    {"sid": 0, "hyps": [{"text": "the cat sat", "features": {"LM0": -17.4}, "gain": 0.41}]}

The second form, which `show` prints, holds all that a k-best stream holds.  Several values under
one name are numbered from 0; features without names are F0, F1, ...
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any

from campanula.formats.errors import LineError
from campanula.formats.feature_names.dense import names_of
from campanula.formats.nbest.reading import LineReader
from campanula.formats.nbest.rows import Row
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
    return {"sid": kbest.sid, "hyps": [dict(zip(columns, hyp, strict=True)) for hyp in hyps]}


class JsonReader(LineReader):
    """Reads objects, a line each."""

    def read(self, line: str) -> Iterable[Row]:
        """Hypotheses of a line; raises LineError."""
        if not line.strip(" \t"):
            return ()
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise LineError(f"expected a JSON object, found {line[:60]!r} ({error})") from error
        if not isinstance(value, dict):
            raise LineError(f"expected a JSON object, found {line[:60]!r}")
        sid = _sentence(value)
        key = next((key for key in LISTS if key in value), None)
        if key is None:
            return (_row(sid, value),)
        if not isinstance(value[key], list) or not all(isinstance(h, dict) for h in value[key]):
            raise LineError(f"{key!r}: expected a list of objects")
        return [_row(sid, hyp) for hyp in value[key]]


def _sentence(value: dict[str, Any]) -> int:
    found = next((value[key] for key in IDS if key in value), None)
    if isinstance(found, str) and found.isascii() and found.isdigit() and len(found) < 19:
        return int(found)
    if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 1 << 62:
        return found
    raise LineError(f"expected a sentence number under 'id', found {found!r}")


def _row(sid: int, hyp: dict[str, Any]) -> Row:
    text = hyp.get("text")
    fields = hyp.get("fields", {})
    stats = hyp.get("stats")
    if not isinstance(text, str):
        raise LineError(f"expected a string under 'text', found {text!r}")
    if not isinstance(fields, dict) or not all(isinstance(t, str) for t in fields.values()):
        raise LineError("expected an object of strings under 'fields'")
    if stats is not None and not (isinstance(stats, list) and all(type(n) is int for n in stats)):
        raise LineError("expected a list of whole numbers under 'stats'")
    _check_text([text, *fields, *fields.values()])
    score = None if hyp.get("score") is None else _number(hyp["score"], "score")
    gain = None if hyp.get("gain") is None else _number(hyp["gain"], "gain")
    return Row(sid, text, _features(hyp.get("features", {})), score, fields, stats, gain)


def _features(value: Any) -> dict[str, float]:
    if isinstance(value, list):
        return dict(zip(names_of(None, len(value)), _values(value, "features"), strict=True))
    if not isinstance(value, dict):
        raise LineError(f"expected an object of numbers under 'features', found {value!r}")
    features: dict[str, float] = {}
    for label, found in value.items():
        values = _values(found if isinstance(found, list) else [found], f"feature {label!r}")
        for name, number in zip(names_of(label, len(values)), values, strict=True):
            if name in features:
                raise LineError(f"feature {name!r} stands here for the second time")
            features[name] = number
    _check_text(features)
    return features


def _values(values: list[Any], what: str) -> list[float]:
    return [_number(value, what) for value in values]


def _number(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise LineError(f"{what}: expected a number, found {value!r}")
    if not math.isfinite(value):
        raise LineError(f"{what}: expected a finite number, found {value!r}")
    return float(value)


def _check_text(texts: Iterable[str]) -> None:
    """JSON can spell half a surrogate pair, which is no text; raises LineError."""
    for text in texts:
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise LineError(f"expected text, found {text[:60]!r} ({error.reason})") from error
