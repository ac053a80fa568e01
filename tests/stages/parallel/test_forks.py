"""Forks keep the order, read ahead little, and leave nobody waiting."""

from __future__ import annotations

import errno
import mmap
import os
import resource
import signal
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.stages.parallel import forks
from campanula.stages.parallel.forks import AHEAD, FILES_OF_OTHERS, can_fork, in_forks


def data(item: int) -> list[bytes]:
    return [b"%d" % item]


def squared(task: memoryview) -> list[bytes]:
    return [b"%d" % int(bytes(task)) ** 2, b" of %d" % os.getpid()]


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_results_come_in_order_from_other_processes(jobs: int) -> None:
    found = []
    for place, (item, result) in enumerate(in_forks(squared, range(50), data, jobs)):
        assert item == place
        found.append(bytes(result).split(b" of "))
    assert [int(number) for number, _ in found] == [i * i for i in range(50)]
    processes = {int(process) for _, process in found}
    assert os.getpid() not in processes
    assert len(processes) <= jobs


def test_nothing_to_do() -> None:
    assert list(in_forks(squared, [], data, 2)) == []


def test_items_are_read_as_they_are_needed() -> None:
    taken = []

    def items() -> Iterator[int]:
        for i in range(1000):
            taken.append(i)
            yield i

    results = in_forks(squared, items(), data, 2)
    assert next(results)[0] == 0
    assert len(taken) <= 2 * AHEAD + 1
    results.close()


@pytest.mark.parametrize(("size", "ahead"), [(forks.MOST_BYTES, 2), (forks.MOST_BYTES // 4, 6)])
def test_fewer_items_are_ahead_where_each_takes_much(size: int, ahead: int) -> None:
    taken = []

    def items() -> Iterator[int]:
        for i in range(100):
            taken.append(i)
            yield i

    with closing(in_forks(squared, items(), data, 2, lambda _: size)) as results:
        for item, result in results:
            assert int(bytes(result).split()[0]) == item**2
            # those within the bound, the one that exceeds it, and the one that waits for its turn
            assert len(taken) - item <= ahead + 1
    assert len(taken) == 100


def test_results_are_larger_than_a_pipe_holds() -> None:
    def repeated(task: memoryview) -> list[bytes]:
        return [bytes(task) * (int(bytes(task)) << 17)]

    for item, result in in_forks(repeated, range(10), data, 2):
        assert bytes(result) == b"%d" % item * (item << 17)


@pytest.fixture
def few_files() -> Iterator[None]:
    """A limit of open files that has room for two processes."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    room = len(os.listdir("/proc/self/fd")) + FILES_OF_OTHERS + 2 * (AHEAD + 1)
    resource.setrlimit(resource.RLIMIT_NOFILE, (room, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@pytest.mark.usefixtures("few_files")
def test_there_are_no_more_processes_than_files_for_them() -> None:
    results = [bytes(result) for _, result in in_forks(squared, range(50), data, 200)]
    assert len({result.split(b" of ")[1] for result in results}) <= 2


def test_processes_that_cannot_be_started_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(os, "fork", refused)
    with pytest.raises(DataError, match="a forked process: cannot be started: Resource temp"):
        list(in_forks(squared, range(3), data, 2))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_process_that_is_killed_is_not_waited_for(number: int) -> None:
    def killed(task: memoryview) -> list[bytes]:
        if bytes(task) == b"7":
            os.kill(os.getpid(), number)
        return [bytes(task)]

    with pytest.raises(DataError, match=f"found that signal {number} ended it") as failure:
        list(in_forks(killed, range(50), data, 2))
    assert ("a lower --jobs needs less" in str(failure.value)) == (number == signal.SIGKILL)


def test_a_fault_is_told_and_ends_the_work(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RuntimeError, match="ended with status 1"):
        list(in_forks(lambda task: [b"%d" % (1 // int(bytes(task)))], range(3), data, 1))
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_no_process_and_no_file_is_left_when_the_work_is_given_up() -> None:
    children = Path(f"/proc/self/task/{os.getpid()}/children")  # earlier tests may have left some
    before = os.listdir("/proc/self/fd"), children.read_text()
    for _ in range(2):
        results = in_forks(squared, range(1000), data, 3)
        next(results)
        results.close()
    assert (os.listdir("/proc/self/fd"), children.read_text()) == before


def test_a_process_with_threads_does_not_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    own = threading.current_thread()
    monkeypatch.setattr(threading, "enumerate", lambda: [own])
    assert can_fork()
    monkeypatch.setattr(threading, "enumerate", lambda: [own, threading.Thread()])
    assert not can_fork()


@pytest.mark.parametrize("in_task", [True, False])
def test_memory_that_the_system_refuses_is_an_error_in_one_line(
    in_task: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    large = [bytes(1 << 20)]
    work = (lambda _: [b""]) if in_task else (lambda _: large)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, limits[1]))
    try:
        with pytest.raises(DataError, match=r"a forked process: cannot be given .* File too large"):
            list(in_forks(work, range(3), lambda _: large if in_task else [b"0"], 2))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert capfd.readouterr().err == ""


def test_a_result_that_cannot_be_mapped_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    parent = os.getpid()
    mapped = mmap.mmap

    def refused(*args: int) -> mmap.mmap:
        # in the forks there is room
        if os.getpid() == parent and args[0] in opened:
            raise OSError(errno.EMFILE, "")
        opened.add(args[0])
        return mapped(*args)

    opened: set[int] = set()
    monkeypatch.setattr("campanula.stages.parallel.forks.mmap.mmap", refused)
    with pytest.raises(DataError, match=r"cannot be given .* Too many open files"):
        list(in_forks(lambda _: [bytes(1 << 20)], range(3), data, 1))
