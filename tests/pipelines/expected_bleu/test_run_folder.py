"""The folder of a run before it begins."""

from __future__ import annotations

import json
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
    TrainingFiles,
    TrainingSettings,
)
from campanula.pipelines.settings import Files


def settings_in(folder: Path) -> ExpectedBleuSettings:
    return ExpectedBleuSettings(
        work_dir=os.fspath(folder),
        train=TrainingFiles("s", "t"),
        dev=Files("dev", "d", ("e",)),
        tests=(Files("x", "f", ("g",)),),
        lists=ListSettings(("wuebker-a",)),
        mert=MertSettings(2, seed=4),
    )


def write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")


def files_in(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


def test_results_are_those_of_the_texts_and_seeds(tmp_path: Path) -> None:
    made = run_folder.results_of(settings_in(tmp_path)).made
    outs = {name for name in made if name.endswith((".out", ".compare"))}
    assert outs == {
        *("dev.out", "dev.4.out", "dev.5.out"),
        *("x.out", "x.4.out", "x.5.out", "x.compare"),
    }
    assert {"theta", "features", "history.jsonl", "model/model.json"} <= made
    grown = replace(settings_in(tmp_path), training=TrainingSettings("growth"))
    assert made - run_folder.results_of(grown).made == {"theta", "features"}


def test_an_earlier_runs_results_go_and_those_of_others_stay(tmp_path: Path) -> None:
    again = {"x.out", "x.4.out", "dev.out", "weights"}
    stale = {"y.out", "y.1.out", "y.compare", "dev.1.out"}
    of_systems = {
        f"{system}/replicate-{n}/{name}.out"
        for system in ("baseline", "growth-tau0-t3", "sgd-tau1e-4-eta10-t30")
        for n in (1, 4)
        for name in ("x", "y")
    }
    kept = {"baseline/replicate-4/dev.out", "baseline/replicate-4/weights", "baseline/y.out"}
    kept |= {"other/replicate-1/y.out", "baseline/replicate-x/y.out", "z.out"}
    write(tmp_path, *again, *stale, *of_systems, *kept)
    line = json.dumps({"system": "baseline", "dev": [1.0], "y": [1.0]})
    (tmp_path / "history.jsonl").write_text(f"{line}\n")
    said: list[str] = []
    run_folder.begin(settings_in(tmp_path), said.append)
    assert files_in(tmp_path) == again | kept | {"history.jsonl"}
    assert said == [f"{tmp_path}: removed, of an earlier run: {', '.join(sorted(stale))}"]


def test_growth_has_no_theta(tmp_path: Path) -> None:
    write(tmp_path, "theta", "cache/names")
    (tmp_path / "features").symlink_to("cache")
    (tmp_path / "history.jsonl").write_text("{}\n")
    grown = replace(settings_in(tmp_path), training=TrainingSettings("growth"))
    run_folder.begin(grown, lambda line: None)
    assert sorted(os.listdir(tmp_path)) == ["cache", "history.jsonl"]


@pytest.mark.parametrize("name", ["model", "baseline"])
def test_a_file_in_the_place_of_a_folder_is_refused(tmp_path: Path, name: str) -> None:
    run_folder.refuse_places(settings_in(tmp_path))
    (tmp_path / name).mkdir()
    run_folder.refuse_places(settings_in(tmp_path))
    (tmp_path / name).rmdir()
    (tmp_path / name).write_text("")
    with pytest.raises(DataError, match=f"{name}: cannot be written: Not a directory"):
        run_folder.refuse_places(settings_in(tmp_path))
