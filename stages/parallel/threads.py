"""Work on sentences in threads, results in order: the same output for any number of threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

A = TypeVar("A")
B = TypeVar("B")

AHEAD = 4  # items in work or waiting to be fetched, per thread


def in_threads(
    function: Callable[[A], B], items: Iterable[A], jobs: int, ahead: int = AHEAD
) -> Iterator[B]:
    """Yield function(item) of every item, in their order; `jobs` threads do the work.

    Threads help where the function releases the interpreter's lock, as the kernels do.  At most
    `ahead` items per thread are read ahead, so memory does not grow with the stream.
    """
    # no pool: a process with other threads could not be forked afterwards
    if jobs == 1:
        yield from map(function, items)
        return
    from concurrent.futures import ThreadPoolExecutor

    waiting: deque[Future[B]] = deque()
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(function, item))
                if len(waiting) >= ahead * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                # an item has failed, or the caller needs no more: those that have not begun never
                # will
                future.cancel()
