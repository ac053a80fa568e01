"""The commands of docs/expected-bleu.md train what `tune expected-bleu` trains."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.weight_stream import read_weight_stream
from campanula.pipelines import tune
from tests.captions import write_captions
from tests.pages import blocks, run_block, text_of

(BLOCK,) = blocks(text_of("expected-bleu"), "sh")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A training text with its links, a development set and a test set."""
    write_captions(tmp_path, 3, train=40, dev=10, test=10)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_figure_1_by_hand_has_the_weights_of_the_pipeline(folder: Path) -> None:
    shown = run_block(BLOCK, folder)
    assert "learned" in shown
    data = ["--source", "dev.de", "--ref", "dev.en", "--test", "x", "test.de", "test.en"]
    text = ["--train", "train.de", "train.en", "train.align", "--model", "model", "--shards", "1"]
    how = ["--features", "wuebker-a", "--mert-at", "30", "--replicates", "2", "-q"]
    assert tune.main(["expected-bleu", *data, *text, *how, "--work-dir", "run"]) == 0
    mine = read_weight_stream(os.fspath(folder / "each" / "theta.30")).theta
    theirs = read_weight_stream(os.fspath(folder / "run" / "theta")).theta
    np.testing.assert_array_equal(mine, theirs)
    table = (folder / "run" / "model" / "phrase-table.gz").read_bytes()
    assert table == (folder / "tuned" / "phrase-table.gz").read_bytes()
    for seed in (1, 2):
        assert (folder / f"learned.{seed}.out").read_text() == (
            folder / "run" / f"x.{seed}.out"
        ).read_text()
