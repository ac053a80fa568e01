"""Workers of dask.distributed.

Every attempt has a key of its own and is bound to one worker.  Its result is a file or a fault;
nothing is fetched from a worker, which may be lost by then.  dask shows attempts under the title
of their task.
"""

from __future__ import annotations

import itertools
import os
import queue
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from campanula.formats.errors import DataError
from campanula.formats.program import program_digest
from campanula.stages.engines.attempt import MACHINE, Fault, attempt
from campanula.stages.engines.crew import Ending, Worker
from campanula.stages.engines.task import Task

if TYPE_CHECKING:
    from distributed import Client

Future = Any  # distributed has no types

FRESH = 0.5  # seconds for which the scheduler's answer about its workers is used
PATIENCE = 60.0  # seconds for which a scheduler need not answer


class DaskCrew:
    """The workers of a client's scheduler; mark: path of a file that they must see."""

    def __init__(self, client: Client, mark: str) -> None:
        self._client = client
        self._mark = mark
        self._ended: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._attempts: dict[str, tuple[Future, str]] = {}
        self._loads: Counter[str] = Counter()
        self._workers: dict[str, Worker] = {}
        # so long ago that the first call asks the scheduler
        self._asked = self._answered = time.monotonic() - FRESH
        self._numbers = itertools.count()
        # dask gives the old result for a key that it knows, of an earlier run with the same
        # scheduler
        self._name = os.urandom(6).hex()

    def workers(self) -> Mapping[str, Worker]:
        """Return the running workers by address; raises DataError if the scheduler is silent."""
        now = time.monotonic()
        if now - self._asked >= FRESH:
            self._asked = now
            try:
                # -1: newer versions list only some of the workers otherwise
                self._workers = _workers_of(self._client.scheduler_info(n_workers=-1))
                self._answered = time.monotonic()
            except (OSError, RuntimeError, ValueError) as error:
                if now - self._answered > PATIENCE:
                    problem = f"expected dask's scheduler to answer, found none: {error}"
                    raise DataError(self._address(), None, problem) from None
        return self._workers

    def load(self, worker: str) -> int:
        """Return the number of attempts that a worker has not ended."""
        return self._loads[worker]

    def start(self, task: Task, worker: str) -> str:
        """Begin an attempt on a worker; return its key."""
        key = f"{task.title}-{next(self._numbers)}-{self._name}"
        future = self._client.submit(
            attempt,
            task,
            self._mark,
            program_digest(),
            key=key,
            workers=[worker],
            allow_other_workers=False,
            pure=False,
        )
        self._attempts[key] = future, worker
        self._loads[worker] += 1
        # dask calls this in a thread of its own, so it only leaves a note in a queue
        future.add_done_callback(lambda _: self._ended.put(key))
        return key

    def endings(self, seconds: float) -> Iterator[Ending]:
        """Yield the attempts that have ended; wait for one for at most `seconds`."""
        gone = [key for key, (_, worker) in self._attempts.items() if worker not in self._workers]
        for key in gone:
            self._drop(key).cancel()
            yield Ending(key, lost=True)
        until = time.monotonic() + (0.0 if gone else seconds)
        while True:
            try:
                key = self._ended.get(timeout=max(until - time.monotonic(), 0.0))
            except queue.Empty:
                return
            until = 0.0  # no more waiting: only attempts that have ended by now follow
            if key in self._attempts:
                worker = self._attempts[key][1]
                yield _ending(key, worker, self._drop(key))

    def _drop(self, key: str) -> Future:
        future, worker = self._attempts.pop(key)
        self._loads[worker] -= 1
        return future

    def _address(self) -> str:
        return str(self._client.scheduler.address) if self._client.scheduler else "scheduler"


def _workers_of(info: Any) -> dict[str, Worker]:
    """Return the running workers; silence counts from the worker that was heard last.

    So a scheduler that was itself stopped for a while does not make all workers silent.
    """
    running = {a: w for a, w in info["workers"].items() if w.get("status", "running") == "running"}
    latest = max((worker["last_seen"] for worker in running.values()), default=0.0)
    return {
        address: Worker(address, worker["host"], worker["nthreads"], latest - worker["last_seen"])
        for address, worker in running.items()
    }


def _ending(key: str, worker: str, future: Future) -> Ending:
    if future.status == "finished":
        return Ending(key)
    if future.status != "error":  # cancelled, or lost
        return Ending(key, lost=True)
    failure = future.exception()
    if isinstance(failure, Fault):
        return Ending(key, failure)
    # by its name, so that dask need not be imported to look at a fault
    if type(failure).__name__ == "KilledWorker":
        return Ending(key, lost=True)
    problem = f"expected a worker that can do the work, found {type(failure).__name__}: {failure}"
    return Ending(key, Fault(MACHINE, worker, None, problem))
