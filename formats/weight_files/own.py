"""A weights format of the user's own: a function of the lines of a file.

    def read(lines):
        for line in lines:
            name, value = line.split(":")
            yield name, value

The function gets the lines that are not blank and do not begin with `#`, and yields names with
values, as text or as numbers.  If it raises ValueError or LookupError, or a number is too large for
a float, the last line is reported as bad.  To write weights, too, give a module or another object
that has beside `read` a function

    def write(weights):                          # a map from name to number
        for name, value in weights.items():
            yield f"{name}:{value}"
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from campanula.formats.registry import read_and_write
from campanula.formats.weight_files.format import WeightFormat
from campanula.formats.weight_files.lines import WeightLines, WeightTable

Read = Callable[[Iterator[str]], Iterable[tuple[str, str | float]]]


def own_format(name: str, item: Any) -> WeightFormat:
    """Make a format of a function, or of an object with `read` and perhaps `write`."""
    if isinstance(item, WeightFormat):
        return item
    reading, writing = read_and_write("weights format", name, item)
    return WeightFormat(partial(_read, name, reading), writing)


def _read(name: str, reading: Read, lines: WeightLines, table: WeightTable) -> None:
    try:
        for feature, value in reading(iter(lines)):
            table.add(lines, feature, value if isinstance(value, str) else repr(float(value)))
    except (ValueError, LookupError, OverflowError) as error:
        raise lines.error(f"expected a line of the format {name} ({error})") from error
