"""Functions of tasks for tests."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from campanula.formats.errors import DataError
from campanula.formats.files import read_lines


def numbers(arguments: Mapping[str, Any], output: str) -> dict[str, int]:
    """Write numbers that follow from a seed, after some seconds."""
    time.sleep(arguments.get("seconds", 0.0))
    seed = arguments["seed"]
    lines = [f"{seed} {n} {(seed * 7919 + n * 104729) % 1000003}\n" for n in range(1000)]
    Path(output).write_text("".join(lines))
    return {"seed": seed}


def refusing(arguments: Mapping[str, Any], output: str) -> None:
    """Refuse its input."""
    time.sleep(arguments.get("seconds", 0.0))
    raise DataError(arguments["path"], "sentence 7", "expected a word, found none")


def broken(arguments: Mapping[str, Any], output: str) -> None:
    """Have a bug."""
    raise ZeroDivisionError(f"of {arguments['seed']}")


def careful(arguments: Mapping[str, Any], output: str) -> None:
    """Fail to write in the processes that have no disk."""
    if os.path.exists(f"{arguments['full']}.{os.getpid()}"):
        raise OSError(28, os.strerror(28), output)
    numbers(arguments, output)


def reading(arguments: Mapping[str, Any], output: str) -> None:
    """Read a file."""
    Path(output).write_text("".join(read_lines(arguments["path"])))


def greedy(arguments: Mapping[str, Any], output: str) -> None:
    """Need more memory than there is."""
    raise MemoryError
