"""The folder in which a pipeline keeps its results, and the builds that fill it.

A result is there whole or not at all, under a name with the digest of all that determines it, and
with a seal (formats/seal.py): a result that does not fit its seal is made again.  One run at a time
works in a folder; unfinished files of a killed run are never mistaken for a result.
"""

from __future__ import annotations

import fcntl
import glob
import importlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import cast

from campanula.formats import atomic, seal
from campanula.formats.errors import DataError
from campanula.formats.model.file_digests import FileState
from campanula.pipelines.tasks import digest
from campanula.pipelines.tasks.building import Build, Workers
from campanula.pipelines.tasks.failures import StageFailed
from campanula.pipelines.tasks.inputs import Inputs
from campanula.pipelines.tasks.luigi_alone import luigi
from campanula.pipelines.tasks.memory import give_back
from campanula.pipelines.tasks.progress import Progress
from campanula.pipelines.tasks.task_process import TaskReport
from campanula.stages import command


class Cache:
    """Results below `folder`: `with Cache(folder) as cache: cache.build([task, ...])`.

    program: digest of the program that makes the results; done: reports of the tasks that were run,
    in order; remarks: warnings that were printed, each of which is printed once.
    """

    def __init__(
        self, folder: str, workers: Workers | None = None, progress: Progress | None = None
    ) -> None:
        self.folder = folder
        self.progress = progress or Progress("", quiet=True)
        self.program = digest.program_digest()
        self.done: list[TaskReport] = []
        self.remarks: set[str] = set()
        self._workers = workers or Workers()
        self._build: Build | None = None
        self.inputs = Inputs()
        self._checksums: dict[str, tuple[tuple[FileState, ...], tuple[str, int]]] = {}
        self._lock: int | None = None
        self._made: list[str] = []

    @property
    def workers(self) -> int:
        """Number of tasks that are run side by side."""
        return self._workers.count

    @property
    def runs(self) -> Counter[str]:
        """Number of tasks of each command that were run."""
        return Counter(report.command for report in self.done)

    def __enter__(self) -> Cache:
        parent = os.path.dirname(os.path.abspath(self.folder))
        # noted before they are made, so that a failed run removes only folders that it has made
        # itself
        self._made = [path for path in (self.folder, parent) if not os.path.isdir(path)]
        try:
            atomic.make_folder(self.folder)
            self._lock = _locked(os.path.join(self.folder, "lock"))
        except BlockingIOError:
            problem = "another run works here; wait for it, or take another folder"
            raise DataError(self.folder, None, problem) from None
        except OSError as error:
            raise DataError(self.folder, None, f"cannot be used: {error.strerror}") from error
        # only under the lock: without it these may be the files of a run that is under way
        remove_temporary(self.folder)
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if self._lock is None:
            return
        # before the lock is given up, so that no other run can have begun to work in the folder
        if kind is not None and os.listdir(self.folder) == ["lock"]:
            self._remove()
        os.close(self._lock)  # unlocks; the end of the process would do so, too
        self._lock = None

    def _remove(self) -> None:
        """Remove lock and folders of a run that failed before its first result."""
        os.unlink(os.path.join(self.folder, "lock"))
        with suppress(OSError):  # a folder that holds something else stays
            for folder in self._made:
                os.rmdir(folder)

    def digest_of(self, path: str) -> str:
        """Digest of an input file or folder, read once in a run."""
        return self.inputs.digest_of(path)

    def seal(self, result: str, paths: Sequence[str]) -> None:
        """Write the seal of a result, whose files are whole."""
        seal.write(self._seal(result), result, paths, self._checksum)

    def whole(self, result: str, paths: Sequence[str]) -> bool:
        """Whether the files of a result are there and fit its seal.

        A damaged result is reported on stderr and counts as missing.
        """
        try:
            fault = seal.fault(self._seal(result), result, paths, self._checksum)
        # no seal: the result was never made, or its run was killed before the end; that is no
        # damage
        except FileNotFoundError:
            return False
        if fault is not None:
            command.complain(f"tune: {self.folder}: {fault}: damaged, and made again")
            # so that the same damage is not reported again by the next question
            atomic.remove(self._seal(result))
        return fault is None

    def remove(self, result: str, paths: Sequence[str]) -> None:
        """Remove a result: its seal first, so that a result in part never has one."""
        atomic.remove(self._seal(result))
        for path in paths:
            atomic.remove_folder(path)

    def _seal(self, result: str) -> str:
        return os.path.join(self.folder, f"{result}.seal")

    def _checksum(self, path: str) -> tuple[str, int]:
        """Checksum and size of a file or folder of a result; read again only after a change."""
        # times and sizes of its files stand for their bytes
        state = tuple(FileState.of(file) for file in (path, *digest.files_of(path)))
        if self._checksums.get(path, (None,))[0] != state:
            self._checksums[path] = state, seal.checksum_of(path)
        return self._checksums[path][1]

    def run(self, name: str, argv: Sequence[str]) -> None:
        """Run a stage in this process; raises StageFailed unless it ends with status 0."""
        module = importlib.import_module("campanula.stages." + name.replace("-", "_"))
        main = cast("Callable[[list[str]], int]", module.main)
        try:
            # in this process: a new interpreter for each stage would import its libraries again
            status = main(list(argv))
        except SystemExit as stop:  # argparse exits so for flags that the stage does not have
            status = stop.code if isinstance(stop.code, int) else 1
        finally:
            give_back()
        # what a stage ends with after Ctrl-C (128 + SIGINT): the whole run has to end so, too
        if status == 130:
            raise KeyboardInterrupt
        if status:
            raise StageFailed(name, status)

    def build(self, tasks: Iterable[luigi.Task]) -> None:
        """Run the tasks, and those that they need, whose results are missing.

        Raises the exception of the first task that failed.
        """
        wanted = list(tasks)
        if not wanted:
            return
        self._build = Build(self._workers)
        try:
            self._build.run(wanted)
        finally:
            self.done += self._build.done
            self._build = None

    def perform(self, command: str, digest: str, work: Callable[[], None]) -> None:
        """Do the work of a task; a build is under way."""
        assert self._build is not None
        if not self._build.is_child():
            self.progress.doing(command)
        elif self._lock is not None:
            # a child that outlives its parent must not hold the lock
            os.close(self._lock)
        self._build.perform(command, digest, work)

    def died(self, command: str, reason: str) -> None:
        """Note that a task's process was killed; `reason` goes on after `its process`."""
        assert self._build is not None
        self._build.died(command, reason)


def _locked(path: str) -> int:
    """Lock a file, which is made; return its descriptor.  Raises BlockingIOError, OSError."""
    # O_NOFOLLOW: a lock that is a link might be a file outside of the folder
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
    try:
        # LOCK_NB: the user is told at once, where waiting might take as long as the other run
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # the run that held the lock has just removed the file: our lock would guard no name
        if os.fstat(descriptor).st_nlink == 0:
            raise BlockingIOError
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def remove_temporary(folder: str, names: Sequence[str] = ("*",)) -> None:
    """Remove unfinished files and folders that a killed run has left; names are patterns."""
    for name in names:
        for path in glob.glob(os.path.join(glob.escape(folder), f".{name}.*.tmp")):
            atomic.remove_folder(path)
