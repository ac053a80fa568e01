"""The commands of docs/scale.md run one after another, on a small model and text made here."""

from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path

import pytest

from campanula.formats.inventories.inventory import Inventory
from campanula.formats.weight_stream import read_weight_stream
from campanula.formats.weights import Weights
from tests.shell import run_block
from tests.small_models import random_model, write_model

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", (ROOT / "docs" / "scale.md").read_text(), re.M | re.S)
PARTS = 3


def write_task(folder: Path) -> Weights:
    """A model with its weights, a text in parts, and a text to test; the weights."""
    small = random_model(random.Random(2), 2, True)
    (folder / "model").mkdir()
    files = write_model(small, folder / "model")
    paths = {
        "phrase-table": files.phrase_table,
        "lm": files.lms[0].path,
        "reordering-table": files.reordering_tables[0].path,
    }
    content = {key: os.path.basename(str(path)) for key, path in paths.items()}
    (folder / "model" / "model.json").write_text(json.dumps(content))
    weights = Weights(dict(small.weights))
    weights.write(os.fspath(folder / "w0"))
    for side, line in (("de", "a b\nb c\n"), ("en", "u v\nv\n")):
        (folder / f"train.{side}.d").mkdir()
        for number in range(PARTS):
            (folder / f"train.{side}.d" / f"part.{number}").write_text(line)
    (folder / "test.de").write_text("c b\na\n")
    return weights


def test_the_blocks_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = write_task(tmp_path)
    assert [language for language, _ in BLOCKS] == ["sh", "sh"]
    run_block(BLOCKS[0][1], tmp_path)
    assert len(list(Path("packed", "shards").iterdir())) == PARTS
    names = set(Inventory.open("features"))
    found = Weights.read("w1")
    assert found.keys() <= names
    assert any(before.get(name) != value for name, value in found.items())
    run_block(BLOCKS[1][1], tmp_path)
    assert len(read_weight_stream("w2.theta")) == len(Inventory.open("features"))
    assert len(Path("test.out").read_text().splitlines()) == 2
