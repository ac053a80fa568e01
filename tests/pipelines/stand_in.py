"""A stage of the tests' own, `stand-in`, which writes down what it was given."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path
from types import ModuleType

import pytest

CALLS: list[list[str]] = []


def main(argv: list[str]) -> int:
    """Write the arguments to every path after `-o`; `--fail STATUS` fails, `--raise` raises."""
    CALLS.append(argv)
    if "--fail" in argv:
        return int(argv[argv.index("--fail") + 1])
    if "--raise" in argv:
        raise ZeroDivisionError("a bug")
    if "--usage" in argv:
        raise SystemExit(2)
    for flag, path in itertools.pairwise(argv):
        if flag == "-o":
            Path(path).write_text(" ".join(argv))
    return 0


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Make the stage known; returns the list of its calls."""
    module = ModuleType("campanula.stages.stand_in")
    module.main = main  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "campanula.stages.stand_in", module)
    CALLS.clear()
    return CALLS
