"""What a format of weights files is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from campanula.formats.weight_files.lines import WeightLines, WeightTable
from campanula.formats.weights import Weights


@dataclass(frozen=True, slots=True)
class WeightFormat:
    """How weights of a tool are read and, if they can be, written."""

    read: Callable[[WeightLines, WeightTable], None]
    write: Callable[[Weights], Iterator[str]] | None = None
