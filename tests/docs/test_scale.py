"""The commands of docs/scale.md run one after another, on small lists made here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from campanula.formats.weights import Weights
from tests.examples import random_lists, write_kbest
from tests.shell import run_block

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", (ROOT / "docs" / "scale.md").read_text(), re.M | re.S)


def test_the_block_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lists, _ = random_lists(3, n_lists=20)
    write_kbest("train.scored", lists)
    Weights(dict.fromkeys(lists[0].names, 0.1)).write("w0")
    ((language, block),) = BLOCKS
    assert language == "sh"
    run_block(block, tmp_path)
    assert len(list(Path("packed", "shards").iterdir())) == 4
    found = Weights.read("w1")
    assert found.keys() <= set(lists[0].names)
    assert any(value != 0.1 for value in found.values())
