"""Work in forked processes, results in order: for work that holds the interpreter's lock.

A fork starts with everything that this process has read and compiled, and shares its memory until
one of them writes.  The data of tasks and results is in nameless files in memory, and pipes carry
the numbers of these files.  Pipes for the data itself could fill up in both directions, and each
side would wait for the other for ever.
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
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn, TypeAlias, TypeVar

from campanula.formats.errors import DataError

A = TypeVar("A")
Buffer: TypeAlias = bytes | memoryview
Work: TypeAlias = Callable[[memoryview], Sequence[Buffer]]
"""Function of a task's bytes; returns the result as buffers, to be put one behind the other."""

AHEAD = 8  # tasks in work or waiting to be fetched, per process
MOST_BYTES = 1 << 26  # of all tasks that wait, unless one alone is larger
FILES_OF_OTHERS = 64  # files that this process may open beside those of the forks
# 16 bytes, so far below PIPE_BUF that a write is never mixed with that of another process; all
# processes read the one pipe of tasks, and each read gets one whole task
TASK = struct.Struct("=qq")  # number of the file, bytes in it
PROCESS = "a forked process"  # in errors
ERROR = 64  # exit status of a process for an OSError: this, and the error's number
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
SLEEPING = "TMonitor"  # tqdm's thread, which holds no lock that a fork needs


def can_fork() -> bool:
    """Whether this process can be forked: on Linux, and without other threads.

    A fork has the calling thread alone; a lock that another thread holds would never be released.
    """
    others = (t for t in threading.enumerate() if t is not threading.current_thread())
    return sys.platform == "linux" and all(type(t).__name__ == SLEEPING for t in others)


def in_forks(
    work: Work,
    items: Iterable[A],
    data: Callable[[A], Sequence[Buffer]],
    jobs: int,
    size_of: Callable[[A], int] | None = None,
) -> Generator[tuple[A, memoryview], None, None]:
    """Yield every item with work(data(item)), in order; `jobs` forked processes do the work.

    size_of: bytes that an item takes, where its data are not all of it.

    A result is valid until the next item is asked for.  The processes are forked when the first
    item is asked for, with the state of this process at that time; changes that the work makes to
    it stay in the process.  There are fewer processes where the limit of open files (`ulimit -n`)
    is too low.  At most AHEAD items per process are read ahead, and MOST_BYTES.
    Raises DataError where a signal ends a process before its work is done, RuntimeError where a
    process ends otherwise.
    """
    forks = _started(work, jobs)
    free = deque(range(len(forks.files)))
    waiting: deque[tuple[A, int, int]] = deque()  # item, number of its file, bytes that it takes
    size = 0  # bytes that all items take that wait
    finished = False
    try:
        for item in items:
            # in both cases some item waits: it has the files that are not free, and the bytes
            while not free or size > MOST_BYTES:
                first, place, taken = waiting.popleft()
                yield first, forks.result(place)
                # only now: the result is the memory of this file, and the caller has read it
                free.append(place)
                size -= taken
            place = free.popleft()
            given = forks.give(place, data(item))
            taken = given if size_of is None else size_of(item)
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
        # a process takes AHEAD files for data, and in this process one end of the pipe of its
        # results
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
        self._maps: dict[int, mmap.mmap] = {}  # by file; a file may have grown since
        self._sizes: dict[int, int] = {}  # bytes of results that are ready, by file
        self._tasks, self._give = os.pipe()
        self._results: dict[int, int] = {}  # process ids, by the pipes that their results come by
        self._work = work
        self._poll = select.poll()
        for _ in range(jobs):
            self._start()

    def _start(self) -> None:
        result, give = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(self._give)  # or this process would never see the end of the tasks
            self._serve(give)
        os.close(give)
        self._results[result] = process
        self._poll.register(result, select.POLLIN)

    def _serve(self, give: int) -> NoReturn:
        """Work on tasks until the pipe of tasks ends, then end the process."""
        try:
            # the handlers of the parent would remove its unfinished files
            for number in ENDINGS:
                signal.signal(number, signal.SIG_DFL)
            while task := os.read(self._tasks, TASK.size):
                place, size = TASK.unpack(task)
                size = self._put(place, self._work(self._content(place, size)))
                os.write(give, TASK.pack(place, size))
        except BrokenPipeError:  # the parent has gone
            os._exit(1)
        except OSError as error:
            os._exit(ERROR + (error.errno or 0))
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)  # without clean-up: the parent's buffers and files are the parent's to close

    def give(self, place: int, data: Sequence[Buffer]) -> int:
        """Hand a task to the processes in file `place`, which must be free; return its size.

        Raises DataError where the system has no memory or file for it.
        """
        with _sharing():
            size = self._put(place, data)
            os.write(self._give, TASK.pack(place, size))
        return size

    def result(self, place: int) -> memoryview:
        """Wait for the result in file `place`; it is valid until the next task gets the file.

        It is not copied: a copy takes 7 % of the time of score-bleu and export-nbest.  Raises
        DataError as `give`.
        """
        while place not in self._sizes:
            self._wait()
        with _sharing():
            return self._content(place, self._sizes.pop(place))

    def _content(self, place: int, size: int) -> memoryview:
        """Return the first `size` bytes of a file, valid until the file is written again."""
        return memoryview(self._map(place, size))[:size] if size else memoryview(b"")

    def _put(self, place: int, parts: Sequence[Buffer]) -> int:
        """Write buffers one behind the other to a file; return the number of bytes.

        The file is written as mapped memory: `os.write` takes longer, page by page.
        """
        size = sum(map(len, parts))
        if size:
            content = self._map(place, size)
            end = 0
            for part in parts:
                content[end : end + len(part)] = part
                end += len(part)
        return size

    def _map(self, place: int, size: int) -> mmap.mmap:
        """Return a file as mapped memory of at least `size` bytes, size > 0."""
        content = self._maps.get(place)
        # a map of the shorter file stays valid when the other side makes the file longer
        if content is not None and len(content) >= size:
            return content
        file = self.files[place]
        # to the next power of two, so that a file is seldom mapped again
        if os.fstat(file).st_size < size:
            os.ftruncate(file, 1 << (size - 1).bit_length())
        # the old map is not closed: views of it may be in use, and close() would raise
        self._maps[place] = mmap.mmap(file, 0)
        return self._maps[place]

    def _wait(self) -> None:
        """Wait for results, and note their sizes by file."""
        for descriptor, _ in self._poll.poll():
            result = os.read(descriptor, TASK.size)
            if not result:
                raise self._end_of(descriptor)
            place, size = TASK.unpack(result)
            self._sizes[place] = size

    def _end_of(self, descriptor: int) -> Exception:
        """Return the error for a process that has ended, by the pipe of its results.

        A signal from outside and an error of the system give a DataError, any other end a
        RuntimeError: a bug.
        """
        # removed here, or `close` would wait for the same process once more
        code = os.waitstatus_to_exitcode(os.waitpid(self._results.pop(descriptor), 0)[1])
        os.close(descriptor)
        if code >= ERROR:
            return _not_shared(code - ERROR)
        if code >= 0:
            return RuntimeError(f"a process that worked for this one ended with status {code}")
        problem = f"expected the end of its work, found that signal {-code} ended it"
        advice = " (so Linux ends what finds no memory; a lower --jobs needs less)"
        return DataError(PROCESS, None, problem + (advice if -code == signal.SIGKILL else ""))

    def close(self, at_once: bool) -> None:
        """End the processes, at once or when all tasks are done, and close the files."""
        os.close(self._give)
        # closing the pipe of tasks tells the processes that no task follows
        for descriptor, process in self._results.items():
            if at_once:
                os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            os.close(descriptor)
        for descriptor in (self._tasks, *self.files):
            os.close(descriptor)


@contextmanager
def _sharing() -> Iterator[None]:
    """Turn an OSError of shared memory into a DataError."""
    try:
        yield
    except OSError as error:
        raise _not_shared(error.errno or 0) from error


def _not_shared(number: int) -> DataError:
    """Return the error for a task or a result that cannot be shared; number: of an OSError."""
    problem = f"cannot be given its task, or give its result: {os.strerror(number)}"
    return DataError(PROCESS, None, f"{problem} (--jobs 1 needs none)")


def nameless_file() -> int:
    """Return the descriptor of a new file in memory, which goes when all forks have closed it."""
    return os.memfd_create("campanula")
