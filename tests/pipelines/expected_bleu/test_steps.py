"""Lists of the training text: what they are made of, and what changes their digests."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from campanula.pipelines.expected_bleu.model import BaseModel
from campanula.pipelines.expected_bleu.settings import (
    ExpectedBleuSettings,
    ListSettings,
    MertSettings,
    TrainingSettings,
)
from campanula.pipelines.expected_bleu.steps import (
    BleuTrainingText,
    ExpectedBleuSteps,
    FreshRun,
    TrainingPoint,
)
from campanula.pipelines.settings import Files, TrainingFiles
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf, Making
from campanula.stages.condensing.columns import columns_of
from tests.pipelines import tiny
from tests.pipelines.arguments import argv_of

LAMBDA = Leaf("w", "w")


def steps_in(folder: Path, **changes: object) -> ExpectedBleuSteps:
    """Steps of the tiny model, whose tasks are not run."""
    tiny.write(folder)
    flags = ("--phrase-table", os.fspath(folder / "phrase-table"), "--beam", "9", "--cache", "c")
    settings = ExpectedBleuSettings(
        work_dir=os.fspath(folder),
        train=TrainingFiles("s", "t", "a"),
        dev=Files("dev", "d", ("e",)),
        lists=ListSettings(("wuebker-a", "wuebker-b"), 7, given=("--singleton-penalty", "0")),
    )
    settings = replace(settings, **changes)  # type: ignore[arg-type]
    source, target, links = (Leaf(name, name) for name in "sta")
    alignment = None if settings.train.alignment is None else links
    text = BleuTrainingText(source, target, alignment, in_parts=True)
    columns = columns_of(["block", "word-pair"], settings.training.together)
    base = BaseModel.of_flags(flags)
    return ExpectedBleuSteps(Cache(os.fspath(folder / "cache")), settings, text, base, columns)


def test_lists_leave_a_sentence_out_and_bring_their_inventory(tmp_path: Path) -> None:
    steps = steps_in(tmp_path, engine=("--engine", "dask"))
    task = steps.lists(LAMBDA)
    table = os.fspath(tmp_path / "phrase-table")
    assert argv_of(task) == [
        *("s", "--weights", "w", "-k", "7", "--leave-one-out", "t", "a"),
        *("--singleton-penalty", "0", "--features", "wuebker-a,wuebker-b"),
        *("--phrase-table", table, "--beam", "9", "-o", task.path),
        *("--inventory", task.path.replace(".kbest", ".features")),
        *("--jobs", "1", "--cache", "c", "--engine", "dask", "-q"),
    ]
    plain = steps_in(tmp_path, train=TrainingFiles("s", "t"))
    assert "--leave-one-out" not in argv_of(plain.lists(LAMBDA))
    assert "--singleton-penalty" not in argv_of(plain.lists(LAMBDA))


def test_gains_are_he_and_dengs(tmp_path: Path) -> None:
    steps = steps_in(tmp_path)
    lists = steps.lists(LAMBDA)
    argv = argv_of(steps.scored(lists))
    assert argv[:5] == [lists.path, "--ref", "t", "--metric", "bleu"]
    assert argv[argv.index("--gain") + 1] == "he-deng"


def test_mert_and_threads_change_no_lists_and_features_do(tmp_path: Path) -> None:
    digest = steps_in(tmp_path).lists(LAMBDA).digest
    assert steps_in(tmp_path, mert=MertSettings(5), jobs=2).lists(LAMBDA).digest == digest
    other = ListSettings(("wuebker-a",), 7, given=("--singleton-penalty", "0"))
    assert steps_in(tmp_path, lists=other).lists(LAMBDA).digest != digest
    assert steps_in(tmp_path).lists(Leaf("w", "other")).digest != digest


def test_what_a_killed_run_has_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(os.fspath(tmp_path))
    left = tmp_path / "made.features"
    left.mkdir()
    (left / "names").write_text("half")
    found = []
    monkeypatch.setattr(cache, "run", lambda name, argv: found.append((name, left.exists())))
    work = FreshRun("decode", ("--inventory", Making(".features")))
    work.run(cache, lambda suffix: os.fspath(tmp_path / f"made{suffix}"))
    assert found == [("decode", False)]


def test_a_point_by_name() -> None:
    assert str(TrainingPoint("0", None)) == "tau 0"
    assert str(TrainingPoint("1e-4", "0.1")) == "tau 1e-4, eta 0.1"


def test_lists_for_growth_have_blocks_alone_by_the_name_that_was_given(tmp_path: Path) -> None:
    grown, plain = TrainingSettings("growth"), TrainingSettings("sgd", eta=("1",))
    for given, name in (
        (("wuebker-a",), "wuebker-a"),
        (("wuebker-b", "wuebker-a", "wuebker-d"), "wuebker-a"),
        (("word-pair", "block"), "block"),
    ):
        lists = ListSettings(given, 7)
        task = steps_in(tmp_path, lists=lists, training=grown).lists(LAMBDA)
        argv = argv_of(task)
        assert argv[argv.index("--features") + 1] == name
        alone = steps_in(tmp_path, lists=ListSettings((name,), 7), training=plain)
        assert alone.lists(LAMBDA).digest == task.digest
        assert steps_in(tmp_path, lists=lists, training=plain).features == given
