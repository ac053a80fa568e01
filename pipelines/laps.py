"""Where the time of a pipeline goes: seconds by phase, and orchestration, which is all the rest.

The rest is Luigi, digests, histories, and whatever else happens between stages.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from campanula.pipelines.cache import Cache

REST = "orchestration"


class Laps:
    """Laps of a run: `laps = Laps(cache, {"decode": "decode"}, "optimise")`, then `laps.lap()`.

    phases says which phase a command belongs to; every other command belongs to `others`.  The
    first lap began at `start` (time.perf_counter), by default now.
    """

    def __init__(
        self, cache: Cache, phases: Mapping[str, str], others: str, start: float | None = None
    ) -> None:
        self._cache, self._phases, self._others = cache, phases, others
        self._mark = time.perf_counter() if start is None else start
        self._before = self._spent()

    def lap(self) -> dict[str, float]:
        """Seconds of every phase since the last lap, then those of orchestration."""
        now, spent = time.perf_counter(), self._spent()
        lap = {phase: spent[phase] - self._before[phase] for phase in spent}
        lap[REST] = now - self._mark - sum(lap.values())
        self._mark, self._before = now, spent
        return {phase: round(seconds, 3) for phase, seconds in lap.items()}

    def _spent(self) -> dict[str, float]:
        """Seconds of every phase so far."""
        spent = dict.fromkeys((*self._phases.values(), self._others), 0.0)
        for command, seconds in self._cache.seconds.items():
            spent[self._phases.get(command, self._others)] += seconds
        return spent
