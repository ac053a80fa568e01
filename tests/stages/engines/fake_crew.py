"""Workers that do what a test says, in this process and without waiting."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from campanula.stages.engines import result
from campanula.stages.engines.attempt import MACHINE, Fault, fault_of
from campanula.stages.engines.crew import Ending, Worker
from campanula.stages.engines.task import Task


class FakeCrew:
    """A crew whose attempts end one by one, the oldest first.

    stopped workers say nothing; those without a disk fail; `script` is called before every look.
    """

    def __init__(self, n_workers: int, script: Callable[[FakeCrew], object] | None = None) -> None:
        self.there = {f"w{n}": Worker(f"w{n}", f"h{n}") for n in range(n_workers)}
        self.stopped: set[str] = set()
        self.full: set[str] = set()
        self.deadly = ""  # name of a task that ends its worker; another comes
        self.started: list[tuple[str, str]] = []  # worker, name of the task
        self.looks = 0
        self._script = script or (lambda crew: None)
        self._running: dict[str, tuple[Task, str]] = {}

    def workers(self) -> Mapping[str, Worker]:
        self.looks += 1
        assert self.looks < 10_000, "nothing happens any more"
        self._script(self)
        silence = {True: 100.0, False: 0.0}
        return {a: replace(w, silence=silence[a in self.stopped]) for a, w in self.there.items()}

    def load(self, worker: str) -> int:
        return Counter(where for _, where in self._running.values())[worker]

    def start(self, task: Task, worker: str) -> str:
        assert worker in self.there
        assert worker not in self.stopped
        key = f"{len(self.started)}"
        self.started.append((worker, task.name))
        self._running[key] = task, worker
        return key

    def endings(self, seconds: float) -> Iterator[Ending]:
        for key, (task, worker) in list(self._running.items()):
            if task.name == self.deadly:
                del self.there[worker]
                self.there[f"{worker}'"] = Worker(f"{worker}'", worker)
            if worker not in self.there:
                del self._running[key]
                yield Ending(key, lost=True)
        for key, (task, worker) in list(self._running.items()):
            if worker not in self.stopped:
                del self._running[key]
                yield Ending(key, self._do(task, worker))
                return

    def _do(self, task: Task, worker: str) -> Fault | None:
        if worker in self.full:
            return Fault(MACHINE, os.path.dirname(task.output), None, "no space left")
        try:
            result.make(task)
        except Exception as failure:
            return fault_of(failure, task.output)
        return None
