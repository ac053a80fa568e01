"""Times of a pipeline: seconds by phase, and of orchestration, which is all the rest of a lap.

The seconds of a phase are the wall time of its commands.  Orchestration is Luigi, digests,
histories, and waiting for tasks of other runs.  Commands that ran side by side may have taken more
time than the lap itself; orchestration is then 0.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping

from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import StageTask

REST = "orchestration"


class Laps:
    """Laps of a run: `laps = Laps(cache, {"decode": "decode"}, "optimise")`, then `laps.lap()`.

    phases says which phase a command belongs to; every other command belongs to `others`.  The
    first lap began at `start` (time.perf_counter), by default now.
    """

    def __init__(
        self, cache: Cache, phases: Mapping[str, str], others: str, start: float | None = None
    ) -> None:
        self._cache = cache
        self._phases = phases
        self._others = others
        self._mark = time.perf_counter() if start is None else start
        self._seen = len(cache.done)

    def lap(
        self, tasks: Iterable[StageTask] | None = None, more: Mapping[str, float] | None = None
    ) -> dict[str, float]:
        """Seconds of every phase since the last lap, then those of orchestration.

        tasks: only they and the tasks that they need are counted; None: all that were run.  more:
        seconds of phases that are no tasks.
        """
        counted = None if tasks is None else needed(tasks)
        lap = dict.fromkeys((*self._phases.values(), self._others), 0.0) | dict(more or {})
        for report in self._cache.done[self._seen :]:
            if counted is None or report.digest in counted:
                lap[self._phases.get(report.command, self._others)] += report.seconds
        now = time.perf_counter()
        # tasks side by side may take more seconds than the clock has counted
        lap[REST] = max(0.0, now - self._mark - sum(lap.values()))
        self._mark = now
        self._seen = len(self._cache.done)
        return {phase: round(seconds, 3) for phase, seconds in lap.items()}


def needed(tasks: Iterable[StageTask]) -> set[str]:
    """Digests of tasks, and of all tasks that they need, directly or not."""
    digests: set[str] = set()
    # a list, not recursion: a chain of tasks is as long as a run has iterations
    stack = list(tasks)
    while stack:
        task = stack.pop()
        # once each: iterations share what they need, and the ways to a task grow with their number
        if task.digest not in digests:
            digests.add(task.digest)
            stack += [other for other in task.requires() if isinstance(other, StageTask)]
    return digests
