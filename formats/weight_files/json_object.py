"""JSON: an object of numbers; the names of several values in a list are numbered from 0.

{"LM0": 0.5, "TM0": [0.2, 0.1]}
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from campanula.formats.errors import DataError, LineError
from campanula.formats.feature_names.dense import names_of
from campanula.formats.json_objects import object_of
from campanula.formats.weight_files.lines import WeightLines, WeightTable
from campanula.formats.weights import Weights


def read(lines: WeightLines, table: WeightTable) -> None:
    """Read weights; raises DataError."""
    try:
        values_by_label = object_of(lines.text())
    except LineError as error:
        raise DataError(lines.name, None, str(error)) from error
    for label, content in values_by_label.items():
        values = content if isinstance(content, list) else [content]
        if not values:
            raise DataError(lines.name, f"feature {label!r}", "expected a number, found none")
        for name, number in zip(names_of(label, len(values)), values, strict=True):
            table.add(lines, name, _token(number, name, lines))


def _token(value: Any, name: str, lines: WeightLines) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DataError(lines.name, f"feature {name!r}", f"expected a number, found {value!r}")
    return repr(value)


def write(weights: Weights) -> Iterator[str]:
    """Yield the lines of an object, one weight per line."""
    lines = [f"  {json.dumps(name, ensure_ascii=False)}: {v!r}" for name, v in weights.items()]
    yield "{"
    yield from (f"{line}," for line in lines[:-1])
    yield from lines[-1:]
    yield "}"
