"""Runs that go on together: what all of them wait for is one build.

A run is a generator.  It yields the tasks that it needs, goes on when they are there, and returns
what it comes to.  With one worker a run ends before the next one begins; with more, the tasks of
all runs that wait are side by side in Luigi, and a task that two of them need is there once.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import TypeVar

from campanula.pipelines.cache import Cache
from campanula.pipelines.stage_task import StageTask

T = TypeVar("T")
Run = Generator[Iterable[StageTask], None, T]


def finish(cache: Cache, runs: Sequence[Run[T]]) -> list[T]:
    """What each run comes to, in their order."""
    if cache.workers == 1:
        return [result for run in runs for result in _together(cache, [run])]
    return _together(cache, runs)


def _together(cache: Cache, runs: Sequence[Run[T]]) -> list[T]:
    results: dict[int, T] = {}
    while len(results) < len(runs):
        wanted: list[StageTask] = []
        for number, run in enumerate(runs):
            if number in results:
                continue
            try:
                wanted += next(run)
            except StopIteration as stop:
                results[number] = stop.value
        cache.build(wanted)
    return [results[number] for number in range(len(runs))]
