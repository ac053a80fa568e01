"""Wall times and ratios for the benchmarks."""

from __future__ import annotations

import time
from collections.abc import Callable


def times(work: Callable[[], object], repeats: int) -> list[float]:
    """Wall seconds of each of some runs."""
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return taken


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """Wall seconds of the fastest of some runs: other work can only make a run slower."""
    return min(times(work, repeats))
