"""Threads keep the order, read ahead little, and hand on what goes wrong."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from campanula.stages.parallel.threads import AHEAD, in_threads


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_results_come_in_order(jobs: int) -> None:
    first = threading.Event()

    def late_for_the_first(item: int) -> int:
        if item == 0 and jobs > 1:
            first.wait(5)
        elif item == jobs - 1:
            first.set()
        return item * item

    assert list(in_threads(late_for_the_first, range(50), jobs)) == [i * i for i in range(50)]


def test_nothing_to_do() -> None:
    assert list(in_threads(str, [], 3)) == []


def test_items_are_read_as_they_are_needed() -> None:
    read = []

    def items() -> Iterator[int]:
        for i in range(1000):
            read.append(i)
            yield i

    results = in_threads(str, items(), 2)
    assert next(results) == "0"
    assert len(read) <= 2 * AHEAD + 1


@pytest.mark.parametrize("jobs", [1, 3])
def test_errors_of_work_and_of_items_come_through(jobs: int) -> None:
    with pytest.raises(ZeroDivisionError):
        list(in_threads(lambda i: 1 // i, [2, 1, 0, 1], jobs))

    def items() -> Iterator[int]:
        yield 1
        raise KeyError("broken")

    with pytest.raises(KeyError):
        list(in_threads(str, items(), jobs))
