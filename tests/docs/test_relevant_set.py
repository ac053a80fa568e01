"""The commands of docs/relevant-set.md train what `tune relevant-set` trains."""

from __future__ import annotations

import itertools
import os
import re
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.inventories.inventory import Inventory
from campanula.formats.weight_stream import read_weight_stream
from campanula.pipelines import tune
from tests.pages import blocks, run_block, text_of

(BLOCK,) = blocks(text_of("relevant-set"), "sh")
WORDS = {"der": "the", "hund": "dog", "ein": "a", "mann": "man"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Parallel text with its links, where target words stand in alphabetical order."""
    sources, targets, links = [], [], []
    for words in itertools.permutations(WORDS, 3):
        order = sorted(range(3), key=lambda i, words=words: WORDS[words[i]])  # type: ignore[misc]
        sources.append(" ".join(words))
        targets.append(" ".join(WORDS[words[i]] for i in order))
        links.append(" ".join(sorted(f"{i}-{order.index(i)}" for i in range(3))))
    for name, lines in (("train.de", sources), ("train.en", targets), ("train.align", links)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def named(weights: Path, inventory: Path) -> dict[str, float]:
    """The weights that are not 0, by name."""
    stream = read_weight_stream(os.fspath(weights))
    names = Inventory.open(os.fspath(inventory)).between(0, len(stream))
    moved = np.flatnonzero(stream.theta).tolist()
    return {names[i]: float(stream.theta[i]) for i in moved}


def test_the_loop_by_hand_has_the_weights_of_the_pipeline(folder: Path) -> None:
    shown = run_block(BLOCK, folder)
    (decoder,) = re.findall(r'^decoder="(.*)"$', BLOCK, re.M)
    data = ["--source", "train.de", "--ref", "train.en", "--work-dir", "run", "--leave-one-out"]
    text = ["--train", "train.de", "train.en", "train.align", "--iterations", "3", "-q"]
    given = [*data, *text, "--seed", "1", "--keep", "last", *decoder.split()]
    assert tune.main(["relevant-set", *given]) == 0
    theirs = named(folder / "run" / "weights", folder / "run" / "features")
    assert named(folder / "w3", folder / "names") == theirs
    highest = sorted(theirs.values(), reverse=True)[:10]
    assert [float(line.split()[1]) for line in shown.splitlines()] == highest
