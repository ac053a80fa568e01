"""The type of a format of weights files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from campanula.formats.errors import DataError
from campanula.formats.weight_files.lines import WeightLines, WeightTable
from campanula.formats.weights import Weights


@dataclass(frozen=True, slots=True)
class WeightFormat:
    """The functions that read and write the weights of a tool; write is None if there is none.

    write_apart: for a tool that has sparse weights in a second file: from the weights and that
    file's path, the lines of the dense weights, and the sparse weights.  marks: beginnings that a
    name cannot have, since the line would be a comment or a heading.
    """

    read: Callable[[WeightLines, WeightTable], None]
    write: Callable[[Weights], Iterator[str]] | None = None
    write_apart: Callable[[Weights, str], tuple[list[str], Weights]] | None = None
    marks: tuple[str, ...] = ()

    def check(self, weights: Weights) -> None:
        """Raise DataError for a name that the format would lose."""
        for name in weights:
            if name.startswith(self.marks):
                problem = f"expected a name that does not begin with {' or '.join(self.marks)}"
                raise DataError(weights.source, f"feature {name!r}", problem)
