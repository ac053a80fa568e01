"""Wall times and ratios for the benchmarks."""

from __future__ import annotations

import time
from collections.abc import Callable


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """Wall time of the fastest of some runs."""
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)
