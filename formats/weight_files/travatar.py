"""Travatar: `name=value` with blanks or line ends between, or the section [weight_vals] of an ini.

lm=0.2 w=-0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from campanula.formats.weight_files.lines import WeightLines, WeightTable
from campanula.formats.weights import Weights

SECTION = "[weight_vals]"


def read(lines: WeightLines, table: WeightTable) -> None:
    """Read weights; raises DataError."""
    wanted = not any(map(_is_heading, lines))
    for line in lines:
        if _is_heading(line):
            wanted = line == SECTION
        elif wanted:
            for token in filter(None, line.split(" ")):
                name, mark, value = token.rpartition("=")
                if not mark:
                    raise lines.error(f"expected `name=value`, found {token!r}")
                table.add(lines, name, value)


def _is_heading(line: str) -> bool:
    """Whether a line begins a section; a weight, which could begin with `[`, ends with a number."""
    return line.startswith("[") and line.endswith("]")


def write(weights: Weights) -> Iterator[str]:
    """Yield the lines of a weights file."""
    for name, value in weights.items():
        yield f"{name}={value!r}"
