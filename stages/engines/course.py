"""Tasks on their way through workers that may die, stop, or have no disk; results in order.

dask launches workers, carries tasks to them and shows them.  This module decides which worker gets
a shard.  dask would queue shards behind a worker that is stopped until it counts as dead, and would
give shard after shard to a worker whose disk is full, because it fails fast.  The rules:

    a worker gets as many tasks as it has threads, and none while it is silent
    a task whose worker is lost begins again on another worker, at once
    a task whose worker is silent, or that takes long when no other task waits, is begun a second
        time elsewhere; the first result counts, and both have the same bytes
    a worker that cannot write or read gets no task for a while, and its task goes to another one;
        the run ends when MOST_FAULTS workers could not do a task, or all workers could not and no
        new one comes
    a fault in the user's data ends the run, with the message of the first shard at fault

A worker on a machine that has read a shard's data before is preferred.
"""

from __future__ import annotations

import statistics
import time
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from campanula.stages.engines import result
from campanula.stages.engines.attempt import DATA, MACHINE, Fault
from campanula.stages.engines.crew import Crew, Ending, Worker
from campanula.stages.engines.task import Task

MOST_FAULTS = 3  # machines that fail at one task
MOST_LOSSES = 20  # workers lost over one task, which may need more memory than they have
LOOK = 64  # tasks among which one is looked for whose data a worker's machine has had
TICK = 0.2  # seconds between looks at the workers


@dataclass(frozen=True, slots=True)
class Pace:
    """Times, in seconds, after which something is taken to be wrong.

    silent: since a worker was heard.  slow, least: a task takes slow times the median of the tasks
    before, and at least `least`.  rest: how long a worker that cannot write gets no task.  alone:
    how long to wait for another worker when all present ones have failed at a task.  visible: how
    long to wait until a worker's file is seen here (NFS caches names for a while).
    """

    silent: float = 10.0
    slow: float = 3.0
    least: float = 10.0
    rest: float = 20.0
    alone: float = 10.0
    visible: float = 30.0


@dataclass(frozen=True, slots=True)
class Running:
    """A running attempt: number of the task, address of the worker, time.monotonic() at start."""

    index: int
    worker: str
    started: float


class Course:
    """A run of tasks: `for path in Course(crew, tasks).results(): ...`.

    hosts: the machine that has read data, by the name of the data (Task.near); later runs use it.
    """

    def __init__(
        self,
        crew: Crew,
        tasks: Sequence[Task],
        hosts: dict[str, str] | None = None,
        pace: Pace | None = None,
    ) -> None:
        self._crew = crew
        self._tasks = tasks
        self._hosts = {} if hosts is None else hosts
        self._pace = pace or Pace()
        # tasks are meant by their numbers, workers by their addresses, attempts by their keys
        self._waiting = list(range(len(tasks)))  # tasks to begin, ascending
        self._running: dict[str, Running] = {}
        self._ended: dict[int, Fault | None] = {}  # tasks done (None), or failed for good
        self._seconds: list[float] = []  # that each task took which is done
        self._last_fault: dict[int, tuple[float, Fault]] = {}  # of a machine, and when
        self._losses: Counter[int] = Counter()  # workers lost, by task
        self._failed_at: defaultdict[int, set[str]] = defaultdict(set)  # workers, by task
        self._resting: dict[str, float] = {}  # until when a worker gets no task

    def results(self, watch: Callable[[], object] = lambda: None) -> Iterator[str]:
        """Yield the path of every result, in the order of the tasks.

        watch: called whenever a task has ended.  Raises DataError, or RuntimeError for a bug.
        """
        for index, task in enumerate(self._tasks):
            while index not in self._ended:
                before = len(self._ended)
                self._step()
                for _ in range(len(self._ended) - before):
                    watch()
            fault = self._ended[index]
            if fault is not None:
                fault.reraise(task.title)
            yield task.output

    def _step(self) -> None:
        """Give tasks to free workers, and take in the attempts that have ended."""
        workers = self._crew.workers()
        self._give_up(workers)
        # late tasks come first: results are yielded in order, so one of them may hold up all others
        late = self._late(workers)
        for worker in self._free(workers):
            index = next((i for i, others in late.items() if worker.address not in others), None)
            if index is None:
                index = self._choose(worker, workers)
            else:
                del late[index]
            if index is not None:
                key = self._crew.start(self._tasks[index], worker.address)
                self._running[key] = Running(index, worker.address, time.monotonic())
        for ending in self._crew.endings(TICK):
            self._end(ending, workers)

    def _free(self, workers: Mapping[str, Worker]) -> list[Worker]:
        """Return the workers that may begin a task, each as often as it has free threads."""
        now = time.monotonic()
        heard = [worker for worker in workers.values() if worker.silence <= self._pace.silent]
        able = [w for w in heard if self._resting.get(w.address, 0.0) <= now]
        free = [worker for worker in able for _ in range(worker.threads)]
        counts: Counter[str] = Counter()
        chosen = []
        for worker in free:
            counts[worker.address] += 1
            if counts[worker.address] + self._crew.load(worker.address) <= worker.threads:
                chosen.append(worker)
        return chosen

    def _late(self, workers: Mapping[str, Worker]) -> dict[int, set[str]]:
        """Return the tasks to begin a second time, in order, with the workers that are at them."""
        now = time.monotonic()
        # a few tasks that took very long do not move a median; before the first end nothing is slow
        typical = statistics.median(self._seconds) if self._seconds else float("inf")
        limit = max(self._pace.least, self._pace.slow * typical)
        attempts: defaultdict[int, list[bool]] = defaultdict(list)
        at: defaultdict[int, set[str]] = defaultdict(set)
        for running in self._running.values():
            seconds = now - running.started
            worker = workers.get(running.worker)
            silent = worker is None or worker.silence > self._pace.silent
            # while tasks wait, a free worker is of more use at one of them than at a second attempt
            is_late = silent if self._waiting else silent or seconds > limit
            attempts[running.index].append(is_late)
            at[running.index].add(running.worker)
        # all: a task with one attempt in time needs no other
        return {i: at[i] for i in sorted(attempts) if i not in self._ended and all(attempts[i])}

    def _choose(self, worker: Worker, workers: Mapping[str, Worker]) -> int | None:
        """Take the next task for a worker from those that wait; None if there is none for it."""
        hosts = {other.host for other in workers.values()}
        best: tuple[int, int] | None = None
        for index in self._waiting[:LOOK]:
            if worker.address in self._failed_at[index]:
                continue
            host = self._hosts.get(self._tasks[index].near)
            # best: data on this machine; then data on none; last data on a machine that has workers
            rank = 0 if host == worker.host else 1 if host not in hosts else 2
            if best is None or rank < best[0]:
                best = rank, index
        if best is None:
            return None
        self._waiting.remove(best[1])
        return best[1]

    def _end(self, ending: Ending, workers: Mapping[str, Worker]) -> None:
        running = self._running.pop(ending.key, None)
        # the other attempt at this task came first; its result has the same bytes
        if running is None or running.index in self._ended:
            return
        index = running.index
        task = self._tasks[running.index]
        fault = ending.fault
        if ending.lost:
            self._lose(index, task)
            return
        if fault is None:
            fault = self._absence(task)
        if fault is None:
            self._seconds.append(time.monotonic() - running.started)
            if task.near and running.worker in workers:
                self._hosts[task.near] = workers[running.worker].host
            self._ended[index] = None
        elif fault.kind == MACHINE:
            self._resting[running.worker] = time.monotonic() + self._pace.rest
            self._failed_at[index].add(running.worker)
            self._last_fault[index] = time.monotonic(), fault
            self._again(index, fault, len(self._failed_at[index]) >= MOST_FAULTS)
        else:
            self._fail(index, fault)

    def _give_up(self, workers: Mapping[str, Worker]) -> None:
        """Fail the tasks at which all present workers have failed, if no other worker comes."""
        now = time.monotonic()
        for index, (moment, fault) in list(self._last_fault.items()):
            hopeless = workers and not workers.keys() - self._failed_at[index]
            if hopeless and index in self._waiting and now - moment >= self._pace.alone:
                self._fail(index, fault)

    def _absence(self, task: Task) -> Fault | None:
        """Return the fault of a result that a worker has reported and that is not here in time."""
        until = time.monotonic() + self._pace.visible
        while (problem := result.absence(task.output)) and time.monotonic() < until:
            time.sleep(TICK)
        return Fault(MACHINE, task.output, None, problem) if problem else None

    def _lose(self, index: int, task: Task) -> None:
        self._losses[index] += 1
        problem = f"expected a worker that lives until it is done, found {MOST_LOSSES} lost over it"
        # of the data, not of a machine: so many workers were lost over this task alone
        fault = Fault(DATA, task.near or task.output, None, problem)
        self._again(index, fault, self._losses[index] >= MOST_LOSSES)

    def _again(self, index: int, fault: Fault, enough: bool) -> None:
        """Begin a task again later, unless another attempt runs; fail it if `enough` were made."""
        # another attempt may still succeed; if it fails, this is asked again
        if any(running.index == index for running in self._running.values()):
            return
        if enough:
            self._fail(index, fault)
        # the run ends at the first fault in order, so tasks behind one are not needed any more
        elif all(index < failed for failed, fault in self._ended.items() if fault):
            # in order again: the lowest number is what the reader of the results waits for
            insort(self._waiting, index)

    def _fail(self, index: int, fault: Fault) -> None:
        """Fail a task for good; no task after it is begun any more."""
        self._ended[index] = fault
        self._waiting = [other for other in self._waiting if other < index]
