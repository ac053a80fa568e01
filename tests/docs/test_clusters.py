"""The commands of docs/clusters.md run, with workers, to what one process makes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from tests.collections import file_bytes
from tests.pages import blocks, run_block, text_of
from tests.small_models import write_model_folder

(BLOCK,) = blocks(text_of("clusters"), "sh")


@pytest.mark.slow
def test_the_page_runs(tmp_path: Path) -> None:
    write_model_folder(tmp_path)
    for side, line in (("de", "a b\nb c\n"), ("en", "u v\nv\n")):
        (tmp_path / f"train.{side}.d").mkdir()
        for number in range(3):
            (tmp_path / f"train.{side}.d" / f"part.{number}").write_text(line)
    run_block(BLOCK, tmp_path)
    made = [tmp_path / name for name in ("train.kbest", "train.indexed")]
    with_workers = [file_bytes(folder) for folder in made]
    theta = (tmp_path / "w1.theta").read_bytes()
    alone = re.sub(r" --engine dask --dask-workers \d+", "", BLOCK).replace(" F ", " G ")
    run_block(alone, tmp_path)
    assert [file_bytes(folder) for folder in made] == with_workers
    assert (tmp_path / "w1.theta").read_bytes() == theta
