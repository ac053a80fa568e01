"""Disk space of the cache: estimates for a run, whether the disk has it, and trimming.

    lists of an iteration    sentences x k hypotheses, decoded and scored
    of a run                 those of all iterations; with --trim those of the newest two
    merged lists             the newest, with the hypotheses of all iterations

Weights, histories and lists of one hypothesis are small beside these.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass

from campanula.formats.errors import DataError
from campanula.formats.files import read_lines
from campanula.formats.text.parts import TextLines
from campanula.pipelines.settings import RunSettings
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import StageTask

USUAL = 14  # dense features of a phrase-based system
FEATURE = 8  # bytes a feature of a hypothesis
REST = 30  # bytes: score, statistics, gain
COPIES = 2  # a list is kept as decoded, and as scored
WORTH = 10**8  # bytes from which on a run prints its estimate


@dataclass(frozen=True, slots=True)
class Room:
    """Estimated bytes of lists on disk: of one iteration, and of a whole run."""

    iteration: int
    run: int

    @classmethod
    def of(cls, settings: RunSettings) -> Room:
        """Estimate of what a run takes; raises DataError for a file that cannot be read."""
        loop = settings.loop
        width = USUAL
        if settings.weights is not None:
            # a line a feature: a hypothesis has at most so many
            width = sum(1 for line in read_lines(settings.weights) if line.strip())
        texts = [len(line.encode()) for line in TextLines(settings.dev.source)]
        copy = loop.k * sum(text + FEATURE * width + REST for text in texts)
        kept = min(2, loop.iterations) if loop.trim else loop.iterations
        merged = loop.iterations * copy if loop.merge else 0
        return cls(COPIES * copy, (settings.replicates or 1) * (COPIES * copy * kept + merged))

    def check(self, folder: str) -> str | None:
        """Return a line for the user where a run takes WORTH bytes or more, else None.

        Raises DataError where the disk of `folder` cannot hold the first iteration of a new run.
        """
        free = shutil.disk_usage(folder).free
        # a run that goes on has some of its lists already, and needs less
        new = not any(name.endswith(".seal") for name in os.listdir(folder))
        if new and free < self.iteration:
            problem = f"expected room for the lists of an iteration, about {_size(self.iteration)}"
            problem += f", found {_size(free)} free; a smaller -k needs less"
            raise DataError(folder, None, problem)
        if self.run < WORTH:
            return None
        return f"{folder} may take {_size(self.run)}, and {_size(free)} are free"


def _size(n_bytes: int) -> str:
    for unit, size in (("GB", 10**9), ("MB", 10**6)):
        if n_bytes >= size:
            return f"{n_bytes / size:.1f} {unit}"
    return f"{n_bytes / 1000:.1f} kB"


def trim(cache: Cache, spent: Iterable[StageTask], kept: Iterable[StageTask]) -> None:
    """Remove the lists `spent` and those that they were made of, but none that `kept` needs."""
    # two iterations with the same weights have the same lists
    needed = set(_lists(kept))
    for task in _lists(spent):
        if task not in needed:
            cache.remove(task.call.result, task.call.made())


def _lists(tasks: Iterable[StageTask]) -> Iterable[StageTask]:
    """Yield tasks that make lists, and the lists that they need.

    It stops at weights, which need the lists of all earlier iterations.
    """
    for task in tasks:
        if any(suffix in (".kbest", ".numbers") for suffix in task.call.work.suffixes):
            yield task
            yield from _lists(t for t in task.requires() if isinstance(t, StageTask))
