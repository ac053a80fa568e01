"""Folders as `tune` leaves them, written by hand."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from campanula.pipelines import history
from campanula.pipelines.history import Iteration, Values
from campanula.pipelines.run_record import RunRecord
from campanula.pipelines.tasks import digest

GOOD = ["the cat sat on the mat", "a dog barks", "we are here now", "it is so"]
BAD = ["the cat sits on a mat", "a dog bark", "we are here", "it is so"]


def write_lines(path: Path, lines: Sequence[str]) -> str:
    """Write a text and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))
    return os.fspath(path)


def write_run(
    folder: Path,
    outputs: Mapping[str, Sequence[str]],
    refs: Mapping[str, str],
    command: Sequence[str] = ("tune", "mert"),
    **settings: Any,
) -> str:
    """A run whose translations are files by name, with references by data set."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in outputs.items():
        write_lines(folder / name, lines)
    record = RunRecord(
        campanula="0",
        program="0",
        python="3",
        libraries={},
        command=list(command),
        folder=os.getcwd(),
        settings={"metric": None, "tokenize": "none", "lowercase": False, **settings},
        sets={name: {"source": "x", "refs": [path]} for name, path in refs.items()},
        inputs={path: digest.of_path(path) for path in refs.values()},
        results={},
    )
    record.write(os.fspath(folder))
    return os.fspath(folder)


def write_history(folder: Path, *values: float) -> None:
    """A history whose dev and test have these values."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = [Iteration(i, v, {"test": v - 1}, 1.0, 4, 4, {}) for i, v in enumerate(values)]
    last = Iteration(len(values), values[-1], {}, None, 4, 4, {}, Values(values[-1]), 0, "end")
    history.write(os.fspath(folder / "history.jsonl"), [*entries, last])


def objects(text: str) -> list[dict[str, Any]]:
    """What `--format json` has written."""
    found: list[dict[str, Any]] = json.loads(text)
    return found
