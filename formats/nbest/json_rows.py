"""Rows of JSON values: the checks of what JSON may hold and a hypothesis may not."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

from campanula.formats.errors import LineError
from campanula.formats.feature_names.dense import names_of
from campanula.formats.nbest.rows import Row
from campanula.formats.nbest.sentence_ids import SentenceId
from campanula.formats.records.kbest import HIGHEST_GAIN, LARGEST_STATISTIC

KEYS = ("text", "features", "score", "stats", "gain", "fields")


def row_of(sid: SentenceId, hyp: Mapping[str, Any], others: Mapping[str, Any]) -> Row:
    """The row of an object, whose unknown keys and those of others become fields by their names."""
    text = hyp.get("text")
    if not isinstance(text, str):
        raise LineError(f"expected a string under 'text', found {text!r}")
    fields = _fields(hyp, others)
    check_text([text, *fields, *fields.values()])
    score = None if hyp.get("score") is None else finite(hyp["score"], "score")
    return Row(
        sid,
        text,
        _features(hyp.get("features", {})),
        score,
        fields,
        _stats(hyp.get("stats")),
        _gain(hyp.get("gain")),
    )


def _fields(hyp: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, str]:
    """Fields by name: those under 'fields', and all keys that mean nothing here."""
    fields = hyp.get("fields", {})
    if not isinstance(fields, dict) or not all(isinstance(t, str) for t in fields.values()):
        raise LineError("expected an object of strings under 'fields'")
    found = dict(fields)
    for given in ({key: hyp[key] for key in hyp if key not in KEYS}, others):
        for key, value in given.items():
            if key in found:
                raise LineError(f"field {key!r} stands here for the second time")
            found[key] = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return found


def _stats(value: Any) -> list[int] | None:
    if value is None:
        return None
    if not isinstance(value, list) or not all(type(n) is int for n in value) or not value:
        raise LineError("expected a list of whole numbers under 'stats'")
    # a mean's are the gain in small units, which may be below 0, and 1
    counts = value[1:] if value[1:] == [1] else value
    if min(counts) < 0 or max(map(abs, value)) > LARGEST_STATISTIC:
        expected = f"expected numbers from 0 to {LARGEST_STATISTIC}"
        raise LineError(f"stats: {expected}, found {str(value)[:60]}")
    return value


def _gain(value: Any) -> float | None:
    if value is None:
        return None
    gain = finite(value, "gain")
    if gain > HIGHEST_GAIN:
        raise LineError(f"gain: expected a number of at most 1, found {value!r}")
    return gain


def _features(value: Any) -> dict[str, float]:
    if isinstance(value, list):
        return dict(zip(names_of(None, len(value)), _values(value, "features"), strict=True))
    if not isinstance(value, dict):
        raise LineError(f"expected an object of numbers under 'features', found {value!r}")
    features: dict[str, float] = {}
    for label, found in value.items():
        if type(found) is float and math.isfinite(found) and label not in features:
            features[label] = found  # as nearly all are, at half the time
            continue
        values = _values(found if isinstance(found, list) else [found], f"feature {label!r}")
        if not values:
            raise LineError(f"feature {label!r}: expected a number, found none")
        for name, number in zip(names_of(label, len(values)), values, strict=True):
            if name in features:
                raise LineError(f"feature {name!r} stands here for the second time")
            features[name] = number
    check_text(features)
    return features


def _values(values: list[Any], what: str) -> list[float]:
    return [finite(value, what) for value in values]


def finite(value: Any, what: str) -> float:
    """A finite number; raises LineError that says what it should be."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise LineError(f"{what}: expected a number, found {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise LineError(f"{what}: expected a finite number, found {str(value)[:40]}")
    return number


def check_text(texts: Iterable[str]) -> None:
    """JSON can spell half a surrogate pair, which is no text; raises LineError."""
    for text in texts:
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise LineError(f"expected text, found {text[:60]!r} ({error.reason})") from error
