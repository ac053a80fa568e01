"""Runs that proceed together: the tasks that all of them wait for are one build.

A run is a generator.  It yields the tasks that it needs, continues when they are built, and returns
its result.  With one worker a run ends before the next one begins; with more, Luigi gets the tasks
of all waiting runs in one build, and runs a task that two of them need once.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import TypeVar

from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import StageTask

T = TypeVar("T")
Run = Generator[Iterable[StageTask], None, T]


def finish(cache: Cache, runs: Sequence[Run[T]]) -> list[T]:
    """Run all to their ends; return their results, in the order of `runs`."""
    # one after the other, so that the messages of a run stay together
    if cache.workers == 1:
        return [result for run in runs for result in _together(cache, [run])]
    return _together(cache, runs)


def _together(cache: Cache, runs: Sequence[Run[T]]) -> list[T]:
    """Advance all runs by one build at a time until each has returned its result."""
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
