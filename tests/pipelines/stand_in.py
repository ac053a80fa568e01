"""A stage of the tests' own, `stand-in`, which writes down what it was given."""

from __future__ import annotations

import itertools
import os
import signal
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from campanula.formats.errors import DataError

CALLS: list[list[str]] = []


def main(argv: list[str]) -> int:
    """Write the arguments to every path after `-o`, unless a flag says otherwise.

    `--fail STATUS` and `--raise` fail; `--wait FOLDER` waits for another that waits there.
    """
    CALLS.append(argv)
    value = dict(itertools.pairwise(argv))
    if "--say" in argv:
        print(value["--say"], file=sys.stderr)
    if "--sleep" in argv:
        time.sleep(float(value["--sleep"]))
    if "--wait" in argv:
        wait(Path(value["--wait"]))
    if "--fail" in argv:
        return int(value["--fail"])
    if "--fail-if" in argv and os.path.exists(value["--fail-if"]):
        return 1
    if "--nothing" in argv:
        return 0
    refuse(argv)
    for flag, path in itertools.pairwise(argv):
        if flag == "-o":
            pid = f" {os.getpid()}" if "--pid" in argv else ""
            Path(path).write_text(" ".join(argv) + pid)
    return 0


def wait(folder: Path) -> None:
    """Wait until two have come here."""
    (folder / f"{os.getpid()}.here").touch()
    until = time.monotonic() + 60
    while len(list(folder.glob("*.here"))) < 2:
        assert time.monotonic() < until, "nobody came"
        time.sleep(0.01)


def refuse(argv: list[str]) -> None:
    """End as a flag says."""
    if "--raise" in argv:
        raise ZeroDivisionError("a bug")
    if "--usage" in argv:
        raise SystemExit(2)
    if "--data" in argv:
        raise DataError("file", "line 1", "bad")
    if "--kill" in argv:
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Make the stage known; returns the list of its calls."""
    module = ModuleType("campanula.stages.stand_in")
    module.main = main  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "campanula.stages.stand_in", module)
    CALLS.clear()
    return CALLS
