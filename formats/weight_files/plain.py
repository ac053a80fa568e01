"""Our own weights files: lines `name value`, and comments that begin with `# `."""

from __future__ import annotations

from collections.abc import Iterator

from campanula.formats.weight_files.lines import WeightLines, WeightTable
from campanula.formats.weights import Weights


def read(lines: WeightLines, table: WeightTable) -> None:
    """Read weights, also those that kbmira writes; raises DataError."""
    table.add_pairs(lines, "# ")


def write(weights: Weights) -> Iterator[str]:
    """Yield the lines of a weights file."""
    for name, value in weights.items():
        yield f"{name} {value!r}"
