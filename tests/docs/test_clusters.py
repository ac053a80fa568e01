"""The commands of docs/clusters.md run, with workers, to what one process makes."""

from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from campanula.formats.weights import Weights
from tests.shell import run_block
from tests.small_models import random_model, write_model

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "clusters.md").read_text()
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.M | re.S)


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.slow
def test_the_page_runs(tmp_path: Path) -> None:
    small = random_model(random.Random(2), 2, True)
    (tmp_path / "model").mkdir()
    files = write_model(small, tmp_path / "model")
    names = {"phrase-table": files.phrase_table, "lm": files.lms[0].path}
    names["reordering-table"] = files.reordering_tables[0].path
    content = {key: os.path.basename(str(path)) for key, path in names.items()}
    (tmp_path / "model" / "model.json").write_text(json.dumps(content))
    Weights(dict(small.weights)).write(os.fspath(tmp_path / "w0"))
    for side, line in (("de", "a b\nb c\n"), ("en", "u v\nv\n")):
        (tmp_path / f"train.{side}.d").mkdir()
        for number in range(3):
            (tmp_path / f"train.{side}.d" / f"part.{number}").write_text(line)
    (block,) = (text for language, text in BLOCKS if language == "sh")
    run_block(block, tmp_path)
    with_workers = [files_of(tmp_path / name) for name in ("train.kbest", "train.indexed")]
    theta = (tmp_path / "w1.theta").read_bytes()
    alone = re.sub(r" --engine dask --dask-workers \d+", "", block).replace(" F ", " G ")
    run_block(alone, tmp_path)
    assert [files_of(tmp_path / name) for name in ("train.kbest", "train.indexed")] == with_workers
    assert (tmp_path / "w1.theta").read_bytes() == theta
