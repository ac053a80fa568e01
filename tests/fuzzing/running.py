"""Runs a command within this process, and says what is wrong with how it ended."""

from __future__ import annotations

import argparse
import functools
import importlib
import io
import os
import re
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NoReturn
from unittest import mock

from campanula import cli
from tests.fuzzing.case import Case, Loss

SECONDS = 20.0  # of a processor, that a command may take over an input of a few hundred bytes


class TooSlow(BaseException):
    """A command did not end in time."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooSlow in the main thread after so many seconds of a processor's time."""

    def stop(*_: object) -> NoReturn:
        raise TooSlow

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


@functools.cache
def _parser_once(name: str) -> Callable[..., argparse.ArgumentParser]:
    """A command's parser, made once: most of what a small input takes."""
    module = importlib.import_module(cli.MODULES[name])
    return module.parser if name == "add-feature" else functools.cache(module.parser)


def _main(name: str, words: list[str]) -> int:
    """Run a command; its module is as before when it has ended."""
    module = importlib.import_module(cli.MODULES[name])
    with mock.patch.object(module, "parser", _parser_once(name)):
        return int(module.main(words))


def _status(case: Case, out: io.TextIOWrapper, err: io.StringIO) -> int:
    with redirect_stdout(out), redirect_stderr(err), warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return _main(case.command, case.argv)
        except SystemExit as stop:
            return stop.code if isinstance(stop.code, int) else 3


def fault_of(case: Case, seconds: float = SECONDS) -> str | None:
    """What is wrong with a case's run in the current folder, None when nothing is."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    threads = threading.active_count()
    try:
        with time_limit(seconds):
            status = _status(case, out, err)
            case.accepted = status == 0
            fault = _fault_of_end(status, out, err.getvalue())
            if fault is None and status == 0 and case.check is not None:
                case.check(Path())
    except TooSlow:
        return f"hang: no end after {seconds:.0f} s"
    except MemoryError:
        return f"memory: {_place()}"
    except Loss as loss:
        return f"loss: {loss}"
    except Exception as error:
        return f"traceback: {type(error).__name__}: {error!s:.200} at {_place()}"
    if fault is None and threading.active_count() > threads:
        return "thread: a thread is left running"
    return fault


def _place() -> str:
    """Where the program was when the last exception was raised: the deepest frame of ours."""
    frames = traceback.extract_tb(sys.exc_info()[2])
    ours = [f for f in frames if "/tests/" not in f.filename and "site-packages" not in f.filename]
    frame = (ours or frames)[-1]
    return f"{'/'.join(Path(frame.filename).parts[-2:])}:{frame.lineno} {frame.name}"


def _fault_of_end(status: int, out: io.TextIOWrapper, err: str) -> str | None:
    out.flush()
    assert isinstance(out.buffer, io.BytesIO)
    written = out.buffer.getvalue()
    if status not in (0, 1, 2):
        return f"status: {status}: {err[:200]!r}"
    if written:
        return f"stdout: {written[:60]!r} though the output is a file"
    if status and os.path.exists("out"):
        return f"output: status {status} and an output"
    left = [name for name in os.listdir() if name.endswith(".tmp")]
    if left:
        return f"output: temporary files are left: {left}"
    if status == 0:
        return None if os.path.exists("out") else "output: status 0 and none"
    if err.count("\n") != 1 or not err.endswith("\n"):
        return f"message: expected one line, found {err[:300]!r}"
    if status == 2 and "of a file with [weight]" not in err:
        return f"flags: status 2 for flags that are right: {err[:200]!r}"
    printed = re.sub(r"found [\[{(].*", "", err)  # what stood in the input may be anything
    if re.search(r"Traceback|(?<!found )\bNone\b|<[a-z]+ object", printed):
        return f"message: of no use to a reader: {err[:300]!r}"
    return None


def again(command: str, words: list[str], refused: bool = False) -> bool:
    """Run a command on what another has written; raises Loss when it does not take it.

    With `refused`, a format that cannot hold the data may say so; True when it did not.
    """
    err = io.StringIO()
    with redirect_stderr(err):
        status = _main(command, words)
    if status and not refused:
        raise Loss(f"{command} {' '.join(words)}: {err.getvalue()[:300]!r}")
    return status == 0
