"""Runs of the loop on the tiny model: with sparse features, and so short that it takes seconds."""

from __future__ import annotations

import os
from pathlib import Path

from tests.pipelines import tiny

SPARSE = ["--features", "block,word-pair,ngram"]
UNLIKE = ("history.jsonl", "run.json", "lock")
SHORT = ["--epochs", "2", "--eta", "0.01", "--iterations", "3"]


def flags(folder: Path) -> list[str]:
    """Write the tiny model, and a training text; the flags that name dev and model."""
    given = tiny.write(folder)
    for name, lines in (("train.de", tiny.SOURCE), ("train.en", tiny.REFS[1])):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return given[: given.index("--weights")]


def train(folder: Path) -> list[str]:
    """The flags that name the training text."""
    return ["--train", os.fspath(folder / "train.de"), os.fspath(folder / "train.en")]


def dev_as_test(folder: Path) -> list[str]:
    """The flags that make dev a test set, too."""
    return ["--test", "x", os.fspath(folder / "dev.de"), os.fspath(folder / "dev.en0")]


def contents(folder: Path) -> dict[str, bytes]:
    """Results of a run and its cache, but for what says how long it took, pictures and locks."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        timed = path.name.startswith("iteration-") or path.name in UNLIKE
        if path.is_file() and not timed and path.suffix != ".png" and "models" not in path.parts:
            found[name] = path.read_bytes()
    return found
