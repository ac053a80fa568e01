"""Arithmetic over every feature, block by block: no temporary array is longer than a block.

A block stays in the processor's cache through all steps of a formula, and blocks may be worked on
side by side.  Sums are those of the blocks, in their order, whoever works on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from campanula.stages.threads import in_order

SIZE = 1 << 16

T = TypeVar("T")


def blocks(n: int) -> Iterator[slice]:
    """Consecutive spans of n features."""
    for start in range(0, n, SIZE):
        yield slice(start, min(start + SIZE, n))


def over_blocks(n: int, function: Callable[[slice], T], jobs: int = 1) -> list[T]:
    """What the function gives for each block, in order."""
    return list(in_order(function, blocks(n), jobs))
