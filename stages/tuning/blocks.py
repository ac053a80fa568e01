"""Arithmetic over every feature, block by block: no temporary array is longer than a block.

A block stays in the processor's cache through all steps of a formula, and threads can work on
different blocks.  Sums are added up block by block in order, so they do not depend on the threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from campanula.stages.parallel.threads import in_threads

SIZE = 1 << 16  # features of a block: 512 KB an array

T = TypeVar("T")


def blocks(n: int) -> Iterator[slice]:
    """Yield consecutive spans that cover n features."""
    for start in range(0, n, SIZE):
        yield slice(start, min(start + SIZE, n))


def over_blocks(n: int, function: Callable[[slice], T], jobs: int = 1) -> list[T]:
    """Return the function's value for each block, in order; jobs: threads."""
    return list(in_threads(function, blocks(n), jobs))
