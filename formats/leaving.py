"""Acts to do when a signal ends the process: remove unfinished files, end child programs.

    act = leaving.expect(lambda: os.unlink(path))      to be done if a signal ends the process
    ...
    leaving.forget(act)                                done already, or no longer wanted

By default SIGTERM and SIGHUP end a process at once, without running any `finally`.  A command that
has the process to itself calls `listen`; a program that imports this module keeps its own handlers.
"""

from __future__ import annotations

import itertools
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

ENDING = (signal.SIGTERM, signal.SIGHUP)

_held = 0
_late: list[int] = []  # signals that came while `held`
_numbers = itertools.count()
_acts: dict[int, tuple[int, Callable[[], object]]] = {}  # by number: process id, act


def expect(act: Callable[[], object]) -> int:
    """Do `act` if a signal ends this process; return the number that `forget` takes."""
    number = next(_numbers)
    _acts[number] = (os.getpid(), act)
    return number


def forget(number: int) -> None:
    """Take back an act of `expect`; no error if it was taken back before."""
    _acts.pop(number, None)


@contextmanager
def held() -> Iterator[None]:
    """Delay ending signals during the block, such as between starting a child and `expect`."""
    global _held
    _held += 1
    try:
        yield
    finally:
        _held -= 1
        if not _held and _late:
            leave(_late.pop())


def listen() -> None:
    """Install `leave` for SIGTERM and SIGHUP; a signal that is ignored stays so (nohup)."""
    for number in ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, leave)


def leave(number: int, frame: object = None) -> None:
    """Do the expected acts of this process, the last one first, and end it by the signal.

    While `held`, the signal is noted and handled at the end of the block.
    """
    if _held:
        _late.append(number)
        return
    for other in ENDING:
        signal.signal(other, signal.SIG_IGN)  # a second signal must not interrupt the acts
    for process, act in reversed(list(_acts.values())):
        if process == os.getpid():  # not the acts that a forked process has from its parent
            with suppress(Exception):
                act()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)  # so the parent sees that the signal ended the process
