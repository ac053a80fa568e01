"""One build of Luigi's: some tasks, and those that they need and whose results are missing.

With more than one worker every task has a process of its own.  The first failure ends the build:
the running tasks are ended, and the failure is raised.  With a scheduler of Luigi's (`luigid`) its
pages show the graph; else the scheduler is in this process.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import sys
import time
import urllib.error
import urllib.request
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from typing import Any

from campanula.formats import signals
from campanula.formats.errors import DataError
from campanula.pipelines.tasks import luigi_alone
from campanula.pipelines.tasks.luigi_alone import luigi
from campanula.pipelines.tasks.task_process import GRACE, Children, TaskReport, kill_programs_of

api: Any = luigi  # Luigi's functions that are called here have no types

INHERITED = ("campanula.stages.kernels.compiled",)
"""Modules that are loaded before a fork, since else every task would load Numba, which is slow."""

PATIENCE = 5.0  # seconds that a scheduler has to give its first answer


@dataclass(frozen=True, slots=True)
class Workers:
    """How tasks are run: `count` at a time, and the address of Luigi's scheduler or None."""

    count: int = 1
    scheduler: str | None = None

    def check(self) -> None:
        """Raise DataError where no scheduler answers."""
        if self.scheduler is None:
            return
        try:
            with urllib.request.urlopen(self.scheduler, timeout=PATIENCE):
                pass
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            raise DataError(self.scheduler, None, f"no scheduler of Luigi's: {reason}") from error


class TaskFailed(Exception):
    """A task has failed; the message is Luigi's."""


class Build:
    """A build that is under way; tasks do their work through `perform`."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._children = Children() if workers.count > 1 else None
        self.failure: BaseException | None = None
        self.done: list[TaskReport] = []

    def is_child(self) -> bool:
        """Whether this process is one that runs a task of the build."""
        return self._children is not None and self._children.inside()

    def perform(self, command: str, digest: str, work: Callable[[], None]) -> None:
        """Do a task's work and time it; with several workers this process is the task's own."""
        if self._children is not None:
            self._children.run(command, digest, work)
            return
        started = time.perf_counter()
        try:
            work()
        # kept as it is, since Luigi passes on no more than the text of an exception
        except BaseException as failure:
            self.failure = failure
            raise
        self.done.append(TaskReport(command, digest, time.perf_counter() - started))

    def died(self, command: str, reason: str) -> None:
        """Note that a task's process was killed; `reason` goes on after `its process`."""
        if self.failure is None:
            self.failure = DataError(command, None, f"its process{reason}")

    def run(self, tasks: Sequence[luigi.Task]) -> None:
        """Run the tasks; raises the first failure."""
        try:
            with luigi_alone.settings():
                if self._children is None:
                    self._build(tasks)
                else:
                    with _forking():
                        self._build(tasks)
        except TaskFailed as failed:
            # `from None`: TaskFailed only ends Luigi's loop, and is not what went wrong
            raise self._failure(str(failed)) from None
        except luigi.rpc.RPCError as error:
            problem = f"the scheduler is gone: {error.sub_exception or error}"
            raise DataError(str(self._workers.scheduler), None, problem) from error
        finally:
            # also after a failure: what other tasks have made by then stays in the cache, and is
            # counted
            self._collect()

    def _build(self, tasks: Sequence[luigi.Task]) -> None:
        """Let Luigi run the tasks; raises TaskFailed."""
        options: dict[str, Any] = {"workers": self._workers.count}
        if self._workers.scheduler is None:
            options["local_scheduler"] = True
        else:
            options["scheduler_url"] = self._workers.scheduler
        result = api.build(tasks, _Factory(), detailed_summary=True, **options)
        # SUCCESS alone: Luigi has further names for success, such as that after a second try
        if not result.scheduling_succeeded or result.status.name != "SUCCESS":
            raise TaskFailed(result.summary_text)

    def _collect(self) -> None:
        """Read the children's reports: their times, their stderr, the first failure."""
        if self._children is None:
            return
        for report in self._children.reports():
            failure = report.exception()
            if failure is None:
                self.done.append(report)
            if self.failure is None:
                self.failure = failure
                # up to the first failure and with it: later ones may only follow from that one
                sys.stderr.write(report.messages)
        self._children.close()
        self._children = None

    def _failure(self, text: str) -> BaseException:
        """The exception to raise: a task's own failure, else one with Luigi's message."""
        # first, since a child's own exception comes with its report
        self._collect()
        if self.failure is not None:
            return self.failure
        if self._workers.scheduler is not None:
            return DataError(self._workers.scheduler, None, f"not all tasks were run: {text}")
        return RuntimeError(text)


class _Factory:
    """Makes Luigi's schedulers and workers; the schedulers end a build at its first failure."""

    def create_local_scheduler(self) -> Any:
        return _FailingAtOnce(
            # the settings of Luigi's own factory
            api.scheduler.Scheduler(prune_on_get_work=True, record_task_history=False)
        )

    def create_remote_scheduler(self, url: str) -> Any:
        return _FailingAtOnce(luigi_alone.remote_scheduler(url))

    def create_worker(self, scheduler: Any, worker_processes: int, assistant: bool = False) -> Any:
        return api.worker.Worker(scheduler, worker_processes=worker_processes, assistant=assistant)


class _FailingAtOnce:
    """Wraps a scheduler of Luigi's: raises TaskFailed as soon as a task is reported as failed.

    Luigi itself would go on with all tasks that do not need the failed one.
    """

    def __init__(self, scheduler: Any) -> None:
        self._scheduler = scheduler

    def __getattr__(self, name: str) -> Any:
        return getattr(self._scheduler, name)

    def add_task(self, *args: Any, **named: Any) -> None:
        self._scheduler.add_task(*args, **named)
        if named.get("status") == api.scheduler.FAILED:
            raise TaskFailed(str(named.get("expl")))


@contextmanager
def _forking() -> Iterator[None]:
    """Let Luigi fork its processes, which inherit loaded modules; end them with the context."""
    for module in INHERITED:
        importlib.import_module(module)
    # allow_none: without it the question alone would fix a method for the whole program
    usual = multiprocessing.get_start_method(allow_none=True)
    # a program that calls us may have children of its own, which are not ours to end
    others = set(multiprocessing.active_children())
    # other methods pickle the task, and with it the cache, whose open files cannot be pickled
    multiprocessing.set_start_method("fork", force=True)
    cleanup = signals.add_cleanup(lambda: _end(_children(others)))
    try:
        with warnings.catch_warnings():
            # Python 3.12 warns of every fork in a process with threads, such as the bar's clock
            warnings.filterwarnings("ignore", message=".*fork", category=DeprecationWarning)
            yield
    finally:
        multiprocessing.set_start_method(usual, force=True)
        signals.remove_cleanup(cleanup)
        _end(_children(others))


def _children(others: set[Any]) -> Iterator[Any]:
    """Yield the processes of this build: all children but those that were there before."""
    return (child for child in multiprocessing.active_children() if child not in others)


def _end(children: Iterator[Any]) -> None:
    """End processes by SIGTERM, and after GRACE seconds, for all together, by SIGKILL.

    SIGTERM has a process end the program that it waits for; after SIGKILL that would go on.
    """
    running = list(children)
    for child in running:
        BaseProcess.terminate(child)  # Luigi's own `terminate` waits without a limit
    until = time.monotonic() + GRACE
    for child in running:
        child.join(max(0.0, until - time.monotonic()))
        if child.is_alive():
            with suppress(ProcessLookupError):  # it has ended, and Luigi has seen it first
                os.kill(child.pid, signal.SIGSTOP)
                kill_programs_of(child.pid)
            child.kill()
            child.join()
