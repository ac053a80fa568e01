"""A task in a process of its own, as `--workers` runs it: what it does, and what it says of it.

Luigi forks a process for every task.  In it

    Ctrl-C             is the parent's business, which ends its children with SIGTERM
    SIGTERM            removes what is unfinished, and ends a command that it has started
    the parent's end   is its own end: a pipe tells, however the parent has ended
    stderr             is kept, and goes to the parent with the report: of several tasks that fail
                       the first one alone is heard

The report is a line of JSON in a file without a name, which the parent reads after the build.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import BinaryIO

from campanula.formats import leaving
from campanula.formats.errors import DataError
from campanula.pipelines.failures import StageFailed
from campanula.stages.command import UsageError

GRACE = 5.0  # seconds that a child may take to leave
STDERR = 2
FAILURES: dict[str, type[BaseException]] = {
    kind.__name__: kind for kind in (DataError, KeyboardInterrupt, StageFailed, UsageError)
}
"""Failures that are the user's to know; whatever else a task raises is a bug of ours."""


@dataclass(frozen=True, slots=True)
class TaskReport:
    """What a task has done: its command and digest, wall seconds, words on stderr, its failure.

    failure is the name of an exception and its arguments.
    """

    command: str
    digest: str
    seconds: float
    said: str = ""
    failure: tuple[str, list[object]] | None = None

    def exception(self) -> BaseException | None:
        """The failure, to be raised."""
        if self.failure is None:
            return None
        kind, arguments = self.failure
        return FAILURES[kind](*arguments)


class Children:
    """The processes of one build, seen from both sides."""

    def __init__(self) -> None:
        self._parent = os.getpid()
        self._reports: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115
        fcntl.fcntl(self._reports, fcntl.F_SETFL, os.O_RDWR | os.O_APPEND)
        self._leash = os.pipe()

    def inside(self) -> bool:
        """Whether this is one of them."""
        return os.getpid() != self._parent

    def close(self) -> None:
        """Let go of everything."""
        self._reports.close()
        for end in self._leash:
            os.close(end)

    def reports(self) -> Iterator[TaskReport]:
        """Yield the reports, in the order in which they came."""
        self._reports.seek(0)
        for line in self._reports:
            fields = json.loads(line)
            if fields["failure"] is not None:
                fields["failure"] = tuple(fields["failure"])
            yield TaskReport(**fields)

    def run(self, command: str, digest: str, work: Callable[[], None]) -> None:
        """Do a task's work in this process, which is a child, and report it."""
        reading, writing = self._leash
        os.close(writing)
        threading.Thread(target=_leave_with_the_parent, args=(reading,), daemon=True).start()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, leaving.leave)
        with tempfile.TemporaryFile() as kept:
            os.dup2(kept.fileno(), STDERR)
            sys.stderr = open(STDERR, "w", buffering=1, closefd=False)  # noqa: SIM115
            started = time.perf_counter()
            try:
                work()
            except (Exception, KeyboardInterrupt) as failure:
                named = _failure(failure)
                self._report(TaskReport(command, digest, 0.0, _said(kept), named))
                raise SystemExit(1) from failure
            finally:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
            seconds = time.perf_counter() - started
            self._report(TaskReport(command, digest, seconds, _said(kept)))

    def _report(self, report: TaskReport) -> None:
        """Append a report; all of it is one write, so that no other comes between."""
        os.write(self._reports.fileno(), json.dumps(asdict(report)).encode() + b"\n")


def _said(kept: BinaryIO) -> str:
    sys.stderr.flush()
    kept.seek(0)
    return kept.read().decode("utf-8", "replace")


def _failure(failure: BaseException) -> tuple[str, list[object]]:
    """A failure in words; of a bug, its traceback is said."""
    kind = type(failure).__name__
    if FAILURES.get(kind) is type(failure):
        return kind, list(failure.args)
    traceback.print_exception(failure)
    return StageFailed.__name__, [kind, 1]


def _leave_with_the_parent(reading: int) -> None:
    """Wait for the end of the parent, then end this process."""
    os.read(reading, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os._exit(1)
