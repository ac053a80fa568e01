"""The commands of docs/scale.md run one after another, on a small model and text made here."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.inventories.inventory import Inventory
from campanula.formats.weight_stream import read_weight_stream
from campanula.formats.weights import Weights
from tests.pages import blocks, run_block, text_of
from tests.small_models import write_model_folder

FIRST, AGAIN = blocks(text_of("scale"), "sh")
PARTS = 3


def write_task(folder: Path) -> Weights:
    """A model with its weights, a text in parts, and a text to test; the weights."""
    weights = write_model_folder(folder)
    for side, line in (("de", "a b\nb c\n"), ("en", "u v\nv\n")):
        (folder / f"train.{side}.d").mkdir()
        for number in range(PARTS):
            (folder / f"train.{side}.d" / f"part.{number}").write_text(line)
    (folder / "test.de").write_text("c b\na\n")
    return weights


def test_the_blocks_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = write_task(tmp_path)
    run_block(FIRST, tmp_path)
    assert len(list(Path("packed", "shards").iterdir())) == PARTS
    names = set(Inventory.open("features"))
    found = Weights.read("w1")
    assert found.keys() <= names
    assert any(before.get(name) != value for name, value in found.items())
    run_block(AGAIN, tmp_path)
    assert len(read_weight_stream("w2.theta")) == len(Inventory.open("features"))
    assert len(Path("test.out").read_text().splitlines()) == 2
