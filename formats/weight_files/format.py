"""What a format of weights files is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from campanula.formats.weight_files.lines import WeightLines, WeightTable
from campanula.formats.weights import Weights


@dataclass(frozen=True, slots=True)
class WeightFormat:
    """How weights of a tool are read and, if they can be, written.

    write_apart: of a tool that has sparse weights in a file of their own, whose path it gets; lines
    of the dense weights, and the sparse weights.
    """

    read: Callable[[WeightLines, WeightTable], None]
    write: Callable[[Weights], Iterator[str]] | None = None
    write_apart: Callable[[Weights, str], tuple[list[str], Weights]] | None = None
