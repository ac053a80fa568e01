"""What is still done when a signal ends the process: unfinished files go, and programs that run.

    act = leaving.expect(lambda: os.unlink(path))      from here on, should the process be ended
    ...
    leaving.forget(act)                                it is done, or no longer wanted

SIGTERM and SIGHUP end a program where it stands, without any `finally`.  A command of its own
process calls `listen`; a program that imports this keeps its own signal handlers.
"""

from __future__ import annotations

import itertools
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

ENDING = (signal.SIGTERM, signal.SIGHUP)

_held = 0
_late: list[int] = []  # signals that came meanwhile
_numbers = itertools.count()
_acts: dict[int, tuple[int, Callable[[], object]]] = {}  # with the process whose they are


def expect(act: Callable[[], object]) -> int:
    """Have something done if a signal ends this process; returns a number to forget it by."""
    number = next(_numbers)
    _acts[number] = (os.getpid(), act)
    return number


def forget(number: int) -> None:
    """Take back what was expected."""
    _acts.pop(number, None)


@contextmanager
def held() -> Iterator[None]:
    """Put off the end of the process while something begins that is to be ended with it."""
    global _held
    _held += 1
    try:
        yield
    finally:
        _held -= 1
        if not _held and _late:
            leave(_late.pop())


def listen() -> None:
    """Do what is expected when a signal ends this process; one that is ignored stays so (nohup)."""
    for number in ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, leave)


def leave(number: int, frame: object = None) -> None:
    """Do what is expected in this process, the last first, and end it by the signal."""
    if _held:
        _late.append(number)
        return
    for other in ENDING:
        signal.signal(other, signal.SIG_IGN)  # a second one must not end what is done here
    for process, act in reversed(list(_acts.values())):
        if process == os.getpid():  # a forked process inherits those of its parent
            with suppress(Exception):
                act()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
