"""Tasks on the workers of dask.distributed: of a scheduler somewhere, or of a local cluster.

    with open_dask(DaskSettings(workers=4), folder) as engine:
        for path in engine.run(tasks, "decode"):
            ...

All state is in files: neither the driver nor a worker holds anything that cannot be made again.
The results are in `folder`, which all machines see under the same name.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from campanula.formats import atomic, signals
from campanula.formats.atomic import reporting
from campanula.stages.command import complain
from campanula.stages.command_line import bars
from campanula.stages.engines import result
from campanula.stages.engines.course import Course, Pace
from campanula.stages.engines.crew import Crew
from campanula.stages.engines.dask_cluster import client_of, local_cluster
from campanula.stages.engines.dask_crew import DaskCrew
from campanula.stages.engines.engine_settings import DaskSettings
from campanula.stages.engines.task import Task

LONELY = 5.0  # seconds without a worker after which a message says so


class DaskEngine:
    """Runs tasks on the workers of a crew."""

    def __init__(self, crew: Crew, folder: str, pace: Pace, quiet: bool = True) -> None:
        self._crew = crew
        self._folder = folder
        self._pace = pace
        self._quiet = quiet
        self._hosts: dict[str, str] = {}

    def run(self, tasks: Sequence[Task], title: str) -> Iterator[str]:
        """Yield the path of every task's result, in order; raises DataError as a task does."""
        self._wait_for_workers(title)
        course = Course(self._crew, tasks, self._hosts, self._pace)
        try:
            with _bar(self._quiet, title, len(tasks)) as count:
                yield from course.results(count)
        finally:
            # also after a success: a worker that was lost leaves what it had begun
            result.remove_unfinished(self._folder, tasks)

    def _wait_for_workers(self, title: str) -> None:
        """Wait until there is a worker, with a message: workers of a batch queue may take hours."""
        started = time.monotonic()
        quiet = self._quiet
        while not self._crew.workers():
            if not quiet and time.monotonic() - started > LONELY:
                complain(f"{title}: waiting for workers")
                quiet = True
            time.sleep(0.1)


@contextmanager
def open_dask(
    settings: DaskSettings, folder: str, quiet: bool = True, pace: Pace | None = None
) -> Iterator[DaskEngine]:
    """Give the engine whose results are in `folder`, which is made if need be; raises DataError."""
    folder = os.path.abspath(folder)
    with reporting(folder):
        atomic.make_folder(folder)
    cluster = (
        local_cluster(settings.workers)
        if settings.scheduler is None
        else client_of(settings.scheduler)
    )
    with _marked(folder) as mark, cluster as client:
        yield DaskEngine(DaskCrew(client, mark), folder, pace or Pace(), quiet)


@contextmanager
def _marked(folder: str) -> Iterator[str]:
    """Put a file into the folder and give its path: a worker that sees it sees the same folder."""
    mark = os.path.join(folder, f".run-{os.urandom(6).hex()}")
    with signals.cleanup(lambda: atomic.remove(mark)):
        try:
            with reporting(folder):
                os.close(os.open(mark, atomic.NEW, 0o644))
            yield mark
        finally:
            atomic.remove(mark)


@contextmanager
def _bar(quiet: bool, title: str, total: int) -> Iterator[Callable[[], object]]:
    """Give the function to call for every task that ends; it moves a bar on a terminal."""
    if not bars.on_terminal() or (quiet and not bars.is_within_run()):
        yield lambda: None
        return
    from tqdm import tqdm

    with tqdm(desc=title, total=total, unit=" shards", leave=False, **bars.shape()) as shown:
        yield shown.update
