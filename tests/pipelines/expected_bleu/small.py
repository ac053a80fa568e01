"""Runs of `tune expected-bleu` on made-up captions, so short that they take seconds."""

from __future__ import annotations

import os
from pathlib import Path

from tests.captions import SIDES, write_caption_model, write_captions

SHORT = ["--solver-iterations", "3", "--mert-at", "2,3", "--replicates", "2", "-k", "10"]
SHORT += ["--mert-iterations", "2", "--mert-k", "10", "--restarts", "2", "--trust", "0"]
SHORT += ["--shards", "2"]
SHORTEST = ["--solver-iterations", "1", "--mert-at", "1", "--replicates", "1", "-k", "3"]
SHORTEST += ["--mert-iterations", "1", "--mert-k", "3", "--restarts", "1", "--trust", "0"]
SHORTEST += ["--shards", "2"]
FEATURES = ["--features", "wuebker-a,wuebker-b"]
TRAIN, DEV = 40, 10
TIMED = ("seconds.jsonl", "run.json")  # and the histories of the runs of MERT


def write(folder: Path) -> list[str]:
    """Write texts and a model; the flags that name them."""
    write_captions(folder, 1, train=TRAIN, dev=DEV, test=DEV)
    write_caption_model(folder)
    return flags(folder)


def flags(folder: Path) -> list[str]:
    """The flags that name what was written to a folder."""
    text = [os.fspath(folder / f"train.{name}") for name in SIDES]
    path = {name: os.fspath(folder / name) for name in os.listdir(folder)}
    named = ["--train", *text, "--source", path["dev.de"], "--ref", path["dev.en"]]
    named += ["--phrase-table", path["table"], "--lm", path["lm"], "--beam", "5", "--stack", "10"]
    return [*named, "--test", "x", path["test.de"], path["test.en"], *SHORT]


def contents(folder: Path) -> dict[str, bytes]:
    """Results of a run and its cache, but for what says how long it took, and locks."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        of_mert = path.name == "history.jsonl" and "replicate" in path.parent.name
        timed = of_mert or path.name.startswith("iteration-") or path.name in (*TIMED, "lock")
        if path.is_file() and not timed and path.suffix != ".png":
            found[name] = path.read_bytes()
    return found
