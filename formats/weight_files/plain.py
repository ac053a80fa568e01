"""Our own weights files: `name value` a line, comments after `# `."""

from __future__ import annotations

from collections.abc import Iterator

from campanula.formats.weight_files.lines import WeightLines, WeightTable
from campanula.formats.weights import Weights


def read(lines: WeightLines, table: WeightTable) -> None:
    """Read weights, kbmira's too; raises DataError."""
    table.add_pairs(lines, "# ")


def write(weights: Weights) -> Iterator[str]:
    """Yield the lines."""
    for name, value in weights.items():
        yield f"{name} {value!r}"
