"""Makes rows of JSON objects, with checks for values that a hypothesis cannot have."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from campanula.formats.errors import SHOWN, LineError, repeated
from campanula.formats.feature_names.dense import names_of
from campanula.formats.nbest.json_values import as_field, check_text, finite
from campanula.formats.nbest.rows import Row
from campanula.formats.nbest.sentence_ids import SentenceId
from campanula.formats.records.kbest import HIGHEST_GAIN, LARGEST_STATISTIC

KEYS = ("text", "features", "score", "stats", "gain", "fields")


def row_of(sid: SentenceId, hyp: Mapping[str, Any], others: Mapping[str, Any]) -> Row:
    """Make the row of an object; raises LineError.

    others: further keys, those of the list; they and unknown keys of `hyp` become fields.
    """
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
    """Return the fields by name: those under 'fields', and all keys that have no meaning here."""
    fields = hyp.get("fields", {})
    if not isinstance(fields, dict) or not all(isinstance(t, str) for t in fields.values()):
        raise LineError("expected an object of strings under 'fields'")
    all_fields = dict(fields)
    for source in ({key: hyp[key] for key in hyp if key not in KEYS}, others):
        for key, value in source.items():
            if key in all_fields:
                raise LineError(repeated("field", key))
            all_fields[key] = as_field(value)
    return all_fields


def _stats(value: Any) -> list[int] | None:
    if value is None:
        return None
    if not isinstance(value, list) or not all(type(n) is int for n in value) or not value:
        raise LineError("expected a list of whole numbers under 'stats'")
    # a mean of gains has two: the gain as an integer in small units, which may be negative, and 1
    counts = value[1:] if value[1:] == [1] else value
    if min(counts) < 0 or max(map(abs, value)) > LARGEST_STATISTIC:
        expected = f"expected numbers from 0 to {LARGEST_STATISTIC}"
        raise LineError(f"stats: {expected}, found {str(value)[:SHOWN]}")
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
    for label, content in value.items():
        if type(content) is float and math.isfinite(content) and label not in features:
            features[label] = content  # nearly all are like this; the way below takes twice as long
            continue
        values = _values(content if isinstance(content, list) else [content], f"feature {label!r}")
        if not values:
            raise LineError(f"feature {label!r}: expected a number, found none")
        for name, number in zip(names_of(label, len(values)), values, strict=True):
            if name in features:
                raise LineError(repeated("feature", name))
            features[name] = number
    check_text(features)
    return features


def _values(values: list[Any], what: str) -> list[float]:
    return [finite(value, what) for value in values]
