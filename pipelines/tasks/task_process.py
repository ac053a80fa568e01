"""A task in a process of its own, as `--workers` runs it, and its report to the parent.

Luigi forks a process for every task.  In it

    Ctrl-C             is ignored: the parent ends its children with SIGTERM
    SIGTERM            removes unfinished files, and ends a command that the task has started
    the parent's end   ends the process: the read end of a pipe sees it, even after SIGKILL
    stderr             is kept, and goes to the parent with the report: where several tasks fail,
                       the parent prints the stderr of the first alone

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
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

from campanula.formats import signals
from campanula.formats.errors import DataError
from campanula.pipelines.tasks.failures import StageFailed
from campanula.stages.command import UsageError

GRACE = 5.0  # seconds that a child has to end after SIGTERM
STDERR = 2
FAILURES: dict[str, type[BaseException]] = {
    kind.__name__: kind for kind in (DataError, KeyboardInterrupt, StageFailed, UsageError)
}
"""Failures that are reported as they are; any other exception of a task is a bug of ours."""


@dataclass(frozen=True, slots=True)
class TaskReport:
    """Report of a task: command, digest, wall seconds, its stderr as text, its failure.

    failure: name and arguments of an exception.
    """

    command: str
    digest: str
    seconds: float
    messages: str = ""
    failure: tuple[str, list[object]] | None = None

    def exception(self) -> BaseException | None:
        """The failure as an exception, or None."""
        if self.failure is None:
            return None
        kind, arguments = self.failure
        return FAILURES[kind](*arguments)


class Children:
    """The processes of one build; the parent and its children use the same object."""

    def __init__(self) -> None:
        self._parent = os.getpid()
        self._reports: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115
        # children share the file and its position: appended lines never overwrite each other
        fcntl.fcntl(self._reports, fcntl.F_SETFL, os.O_RDWR | os.O_APPEND)
        # never written to: that the parent's end closes, with whatever death, is the message
        self._leash = os.pipe()

    def inside(self) -> bool:
        """Whether this process is one of the children."""
        return os.getpid() != self._parent

    def close(self) -> None:
        """Close the file of reports and the pipe."""
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
        os.close(writing)  # or the pipe would never end while a child is alive
        threading.Thread(target=_leave_with_the_parent, args=(reading,), daemon=True).start()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signals.end_process)
        with tempfile.TemporaryFile() as kept:
            os.dup2(kept.fileno(), STDERR)  # compiled code and commands write there, too
            sys.stderr = open(STDERR, "w", buffering=1, closefd=False)  # noqa: SIM115
            started = time.perf_counter()
            try:
                work()
            # KeyboardInterrupt is what the cache makes of a stage's status 130; SIGINT itself is
            # ignored
            except (Exception, KeyboardInterrupt) as failure:
                named = _failure(failure)
                self._report(TaskReport(command, digest, 0.0, _text_of(kept), named))
                raise SystemExit(1) from failure
            finally:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
            seconds = time.perf_counter() - started
            self._report(TaskReport(command, digest, seconds, _text_of(kept)))

    def _report(self, report: TaskReport) -> None:
        """Append a report in one write, so that no other report comes between its bytes."""
        os.write(self._reports.fileno(), json.dumps(asdict(report)).encode() + b"\n")


def _text_of(kept: BinaryIO) -> str:
    """Text that the task has written to stderr, which `kept` stands in for."""
    sys.stderr.flush()
    kept.seek(0)
    return kept.read().decode("utf-8", "replace")


def _failure(failure: BaseException) -> tuple[str, list[object]]:
    """Name and arguments of an exception; a bug's traceback goes to stderr."""
    kind = type(failure).__name__
    # the class itself: another one of that name could not be made again from these arguments
    if FAILURES.get(kind) is type(failure):
        return kind, list(failure.args)
    traceback.print_exception(failure)
    return StageFailed.__name__, [kind, 1]


def _leave_with_the_parent(reading: int) -> None:
    """Wait for the end of the parent, then end this process."""
    os.read(reading, 1)  # returns when the last write end, the parent's, is closed
    # first as the parent would, so that unfinished files are removed
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    # Python handles signals between its own instructions, so compiled code may still be running
    kill_programs_of(os.getpid())
    os._exit(1)


def kill_programs_of(process: int) -> None:
    """End what a process has started, and what that has: for a process that cannot do so itself.

    A decoder's command has a session of its own, and would outlive it.  Nothing where /proc is
    not: there is no other way to find them.
    """
    for child in _started_by(process):
        with suppress(OSError):  # it has just ended, or is another user's
            # stopped first, or it might start another one after it was asked
            os.kill(child, signal.SIGSTOP)
            kill_programs_of(child)
            os.kill(child, signal.SIGKILL)


def _started_by(process: int) -> list[int]:
    """Numbers of the processes whose parent is `process`."""
    children = []
    for entry in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else ()):
        with suppress(OSError):  # it has just ended
            status = Path("/proc", entry, "stat").read_text(errors="replace")
            # the name, which is in brackets, may have blanks and brackets
            if int(status.rpartition(")")[2].split()[1]) == process:
                children.append(int(entry))
    return children
