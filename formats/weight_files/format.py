"""What a format of weights files is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from campanula.formats.errors import DataError
from campanula.formats.weight_files.lines import WeightLines, WeightTable
from campanula.formats.weights import Weights


@dataclass(frozen=True, slots=True)
class WeightFormat:
    """How weights of a tool are read and, if they can be, written.

    write_apart: of a tool that has sparse weights in a file of their own, whose path it gets; lines
    of the dense weights, and the sparse weights.  marks: what a name cannot begin with, since the
    line would be a comment or a heading.
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
