"""Work in forked processes, results in order: for what holds Python's lock, which threads share.

A fork starts with all that this process has read and compiled, and shares its memory until one of
them writes.  Tasks and results go by files without a name, whose places are told by pipes: a pipe
that holds the data itself could fill up on both sides, and each would wait for the other.
"""

from __future__ import annotations

import mmap
import os
import resource
import select
import signal
import struct
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import NoReturn, TypeAlias, TypeVar

from campanula.formats.errors import DataError

A = TypeVar("A")
Buffer: TypeAlias = bytes | memoryview
Work: TypeAlias = Callable[[memoryview], Sequence[Buffer]]
"""What becomes of a task's bytes: bytes to be put one behind the other."""

AHEAD = 8  # tasks in work or waiting to be fetched, per process
MOST_BYTES = 1 << 26  # of the data of all of them, unless one is larger
FILES_OF_OTHERS = 64  # that this process may open beside those for the forks
TASK = struct.Struct("=qq")  # number of the file, bytes in it
PROCESS = "a forked process"  # in errors
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
SLEEPING = "TMonitor"  # the thread that a progress bar has, which takes no lock that a fork needs


def can_fork() -> bool:
    """Whether a fork of this process could work: others than its own thread are not in a fork."""
    others = (t for t in threading.enumerate() if t is not threading.current_thread())
    return sys.platform == "linux" and all(type(t).__name__ == SLEEPING for t in others)


def in_forks(
    work: Work, items: Iterable[A], data: Callable[[A], Sequence[Buffer]], jobs: int
) -> Generator[tuple[A, memoryview], None, None]:
    """Yield every item with what work makes of its data, in order; `jobs` forks do the work.

    What they make is there until the next item is asked for.  They are forked when the first is
    asked for, and know what this process knows then; what the work changes stays in its process.
    They are fewer where the limit of open files (`ulimit -n`) is too low for so many.
    At most AHEAD items per process are read ahead, and MOST_BYTES of their data.  Raises DataError
    where a signal ends a process before its work is done, RuntimeError where it ends otherwise.
    """
    forks = _started(work, jobs)
    free = deque(range(len(forks.files)))
    waiting: deque[tuple[A, int, int]] = deque()  # with their files, and the size of their data
    size = 0  # of the data of those that wait
    finished = False
    try:
        for item in items:
            while not free or size > MOST_BYTES:
                first, place, taken = waiting.popleft()
                yield first, forks.result(place)
                free.append(place)
                size -= taken
            place = free.popleft()
            taken = forks.give(place, data(item))
            waiting.append((item, place, taken))
            size += taken
        for item, place, _ in waiting:
            yield item, forks.result(place)
        finished = True
    finally:
        forks.close(at_once=not finished)


def _started(work: Work, jobs: int) -> Forks:
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit != resource.RLIM_INFINITY:
        left = limit - len(os.listdir("/proc/self/fd")) - FILES_OF_OTHERS
        jobs = max(1, min(jobs, left // (AHEAD + 1)))
    try:
        return Forks(work, jobs)
    except OSError as error:
        problem = f"cannot be started: {error.strerror} (--jobs 1 needs none)"
        raise DataError(PROCESS, None, problem) from error


class Forks:
    """Processes that do one kind of work, until they are closed."""

    def __init__(self, work: Work, jobs: int) -> None:
        self.files = [nameless_file() for _ in range(AHEAD * jobs)]
        self._maps: dict[int, mmap.mmap] = {}  # of the files, as large as they were last
        self._sizes: dict[int, int] = {}  # of the results that are there
        self._tasks, self._give = os.pipe()
        self._results: dict[int, int] = {}  # where each process writes, and its number
        self._work = work
        self._poll = select.poll()
        for _ in range(jobs):
            self._start()

    def _start(self) -> None:
        result, give = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(self._give)  # a pipe has its end when all that write there have closed it
            self._serve(give)
        os.close(give)
        self._results[result] = process
        self._poll.register(result, select.POLLIN)

    def _serve(self, give: int) -> NoReturn:
        """Work until there are no more tasks: the whole life of a forked process."""
        try:
            for number in ENDINGS:
                signal.signal(number, signal.SIG_DFL)
            while task := os.read(self._tasks, TASK.size):
                place, size = TASK.unpack(task)
                size = self._put(place, self._work(self._content(place, size)))
                os.write(give, TASK.pack(place, size))
        except BrokenPipeError:  # nobody waits for the results
            os._exit(1)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)  # nothing of the parent's is flushed, removed or told twice

    def give(self, place: int, data: Sequence[Buffer]) -> int:
        """Have a task done, whose file is free; the size of its data."""
        size = self._put(place, data)
        os.write(self._give, TASK.pack(place, size))
        return size

    def result(self, place: int) -> memoryview:
        """Wait for the result that a file is to have; it is there until the next task has the file.

        It is not copied, which takes 7 % of the time of score-bleu and export-nbest.
        """
        while place not in self._sizes:
            self._wait()
        return self._content(place, self._sizes.pop(place))

    def _content(self, place: int, size: int) -> memoryview:
        """So many bytes of a file, as long as nobody writes others there."""
        return memoryview(self._map(place, size))[:size] if size else memoryview(b"")

    def _put(self, place: int, parts: Sequence[Buffer]) -> int:
        """Write some bytes one behind the other to a file; returns their number.

        As memory, not as a file: that would be written page by page.
        """
        size = sum(map(len, parts))
        if size:
            content, end = self._map(place, size), 0
            for part in parts:
                content[end : end + len(part)] = part
                end += len(part)
        return size

    def _map(self, place: int, size: int) -> mmap.mmap:
        """A file in memory, which has room for so many bytes, at least one."""
        known = self._maps.get(place)
        if known is not None and len(known) >= size:
            return known
        file = self.files[place]
        if os.fstat(file).st_size < size:
            os.ftruncate(file, 1 << (size - 1).bit_length())
        self._maps[place] = mmap.mmap(file, 0)
        return self._maps[place]

    def _wait(self) -> None:
        """Wait for results, and note how many bytes are in their files."""
        for descriptor, _ in self._poll.poll():
            result = os.read(descriptor, TASK.size)
            if not result:
                raise self._end_of(descriptor)
            place, size = TASK.unpack(result)
            self._sizes[place] = size

    def _end_of(self, descriptor: int) -> Exception:
        """How the process ended that wrote results there: by a signal from outside, or by a bug."""
        code = os.waitstatus_to_exitcode(os.waitpid(self._results.pop(descriptor), 0)[1])
        os.close(descriptor)
        if code >= 0:
            return RuntimeError(f"a process that worked for this one ended with status {code}")
        problem = f"expected the end of its work, found that signal {-code} ended it"
        advice = " (so Linux ends what finds no memory; a lower --jobs needs less)"
        return DataError(PROCESS, None, problem + (advice if -code == signal.SIGKILL else ""))

    def close(self, at_once: bool) -> None:
        """End the processes: in the middle of their work, or when they have none."""
        os.close(self._give)
        for descriptor, process in self._results.items():
            if at_once:
                os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            os.close(descriptor)
        for descriptor in (self._tasks, *self.files):
            os.close(descriptor)


def nameless_file() -> int:
    """A new file in memory that forks share, and that goes when all have closed it."""
    return os.memfd_create("campanula")
