"""The folder of a run before it begins."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.pipelines.expected_bleu import run_folder
from campanula.pipelines.expected_bleu.settings import (
    ExpectedBleuSettings,
    ListSettings,
    MertSettings,
    TrainingSettings,
)
from campanula.pipelines.settings import Files, TrainingFiles


def settings_in(folder: Path) -> ExpectedBleuSettings:
    return ExpectedBleuSettings(
        work_dir=os.fspath(folder),
        train=TrainingFiles("s", "t"),
        dev=Files("dev", "d", ("e",)),
        tests=(Files("x", "f", ("g",)),),
        lists=ListSettings(("wuebker-a",)),
        mert=MertSettings(2, seed=4),
    )


def test_results_are_those_of_the_texts_and_seeds(tmp_path: Path) -> None:
    made = run_folder.made_by(settings_in(tmp_path))
    outs = {name for name in made if name.endswith((".out", ".compare"))}
    assert outs == {
        *("dev.out", "dev.4.out", "dev.5.out"),
        *("x.out", "x.4.out", "x.5.out", "x.compare"),
    }
    assert {"theta", "features", "history.jsonl", "model/model.json"} <= made
    grown = replace(settings_in(tmp_path), training=TrainingSettings("growth"))
    assert made - run_folder.made_by(grown) == {"theta", "features"}


@pytest.mark.parametrize("name", ["model", "baseline"])
def test_a_file_in_the_place_of_a_folder_is_refused(tmp_path: Path, name: str) -> None:
    run_folder.refuse_places(settings_in(tmp_path))
    (tmp_path / name).mkdir()
    run_folder.refuse_places(settings_in(tmp_path))
    (tmp_path / name).rmdir()
    (tmp_path / name).write_text("")
    with pytest.raises(DataError, match=f"{name}: cannot be written: Not a directory"):
        run_folder.refuse_places(settings_in(tmp_path))
