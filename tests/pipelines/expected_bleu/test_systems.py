"""Systems: runs of MERT, their values, and what they begin with."""

from __future__ import annotations

import os
from pathlib import Path

from campanula.formats.weights import Weights
from campanula.pipelines.expected_bleu.settings import (
    ExpectedBleuSettings,
    ListSettings,
    MertSettings,
)
from campanula.pipelines.expected_bleu.systems import MertSystem, Systems, start_of
from campanula.pipelines.settings import Files, TrainingFiles
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf


def systems_in(folder: Path) -> Systems:
    settings = ExpectedBleuSettings(
        work_dir=os.fspath(folder),
        train=TrainingFiles("s", "t"),
        dev=Files("dev", "d", ("e",)),
        lists=ListSettings(("wuebker-a",)),
        mert=MertSettings(2, optimize=("--trust", "0")),
    )
    return Systems(Cache(os.fspath(folder)), settings, lambda line: None)


def test_weights_begin_with_lambda_and_1(tmp_path: Path) -> None:
    Weights({"LM0": 0.5, "WordPenalty0": -1.0}).write(os.fspath(tmp_path / "w"))
    path = os.fspath(tmp_path / "system" / "initial")
    start_of(path, Leaf(os.fspath(tmp_path / "w"), "w"), ["TranslationModel0_4"])
    expected = {"LM0": 0.5, "WordPenalty0": -1.0, "TranslationModel0_4": 1.0}
    assert dict(Weights.read(path)) == expected


def test_mean_over_runs() -> None:
    system = MertSystem("f", (), (), {"dev": (20.0, 21.0, 25.0)})
    assert system.mean("dev") == 22.0


def test_mert_goes_as_tune_mert_does(tmp_path: Path) -> None:
    systems = systems_in(tmp_path)
    flags = systems.tuner.check()
    assert flags[:4] == ["--loss", "cost", "--solver", "line-search"]
    assert flags[-2:] == ["--trust", "0"]
    loop = systems._loop()
    assert (loop.merge, loop.keep, loop.iterations, loop.k) == (True, "best", 25, 100)
    assert (loop.stop.weights_tolerance, loop.stop.patience) == (1e-5, 5)
    assert systems.scorer.higher_is_better
