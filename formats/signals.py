"""Clean-ups for a process that SIGTERM or SIGHUP ends: remove unfinished files, end children.

    with signals.cleanup(lambda: os.unlink(path)):     run if a signal ends the process in the block
        ...

By default these signals end a process at once, without running any `finally`.  A command that has
the process to itself calls `install`; a program that imports this module keeps its own handlers.
"""

from __future__ import annotations

import itertools
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

ENDING = (signal.SIGTERM, signal.SIGHUP)

_delays = 0  # blocks of `delayed` that are running, one within another
_late: list[int] = []  # signals that came meanwhile
_numbers = itertools.count()
_cleanups: dict[int, tuple[int, Callable[[], object]]] = {}  # by number: process id, function


@contextmanager
def cleanup(function: Callable[[], object]) -> Iterator[None]:
    """Call `function` if a signal ends this process during the block."""
    number = add_cleanup(function)
    try:
        yield
    finally:
        remove_cleanup(number)


def add_cleanup(function: Callable[[], object]) -> int:
    """Call `function` if a signal ends this process; return the number for `remove_cleanup`."""
    number = next(_numbers)
    _cleanups[number] = (os.getpid(), function)
    return number


def remove_cleanup(number: int) -> None:
    """Take back an `add_cleanup`; no error if it was taken back before."""
    _cleanups.pop(number, None)


@contextmanager
def delayed() -> Iterator[None]:
    """Delay ending signals during the block, as between starting a child and `add_cleanup`."""
    global _delays
    _delays += 1
    try:
        yield
    finally:
        _delays -= 1
        if not _delays and _late:
            end_process(_late.pop())


def install() -> None:
    """Make `end_process` the handler of SIGTERM and SIGHUP; an ignored one stays so (nohup)."""
    for number in ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, end_process)


def end_process(number: int, frame: object = None) -> None:
    """Run the clean-ups of this process, the last one first, and end it by the signal.

    Within `delayed` the signal is noted and handled at the end of the block.
    """
    if _delays:
        _late.append(number)
        return
    for other in ENDING:
        signal.signal(other, signal.SIG_IGN)  # a second signal must not interrupt the clean-ups
    for process, function in reversed(list(_cleanups.values())):
        if process == os.getpid():  # a forked process has a copy of its parent's, too
            with suppress(Exception):
                function()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)  # so the parent sees that the signal ended the process
