"""cdec: a name and its weight, separated by a blank, a tab or the last `=` of the line.

    Glue 0.1
    LanguageModel=0.5

cdec itself splits at the last `=` even in `Lex=a 0.5`; here a blank comes first, so the name is
`Lex=a`.  Such a name is written with a tab, which cdec understands in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator

from campanula.formats.errors import quoted
from campanula.formats.weight_files.lines import WeightLines, WeightTable
from campanula.formats.weights import Weights


def read(lines: WeightLines, table: WeightTable) -> None:
    """Read weights; raises DataError."""
    for line in lines:
        name, mark, token = line.rpartition(" ")
        if not mark:
            name, mark, token = line.rpartition("=")
        if not mark:
            raise lines.error(f"expected `name value` or `name=value`, found {quoted(line)}")
        table.add(lines, name.strip(" "), token)


def write(weights: Weights) -> Iterator[str]:
    """Yield the lines of a weights file."""
    for name, value in weights.items():
        yield f"{name}\t{value!r}" if "=" in name else f"{name} {value!r}"
