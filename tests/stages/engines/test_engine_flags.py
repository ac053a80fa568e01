"""The flags of engines: what they ask for, and how a stage's own travel."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import pytest

from campanula.stages.command import UsageError
from campanula.stages.engines.engine_flags import (
    add_engine_flags,
    engine_of_flags,
    engine_words,
    flags_to_send,
    open_engine,
    received_flags,
)
from campanula.stages.engines.engine_settings import DaskSettings, EngineSettings


def flags(*words: str) -> argparse.Namespace:
    p = argparse.ArgumentParser()
    for name in ("--output", "--weights", "--beam"):
        p.add_argument(name)
    p.add_argument("--quiet", action="store_true")
    p.add_argument("--ref", action="append", default=[])
    p.add_argument("--jobs", type=int, default=4)
    add_engine_flags(p)
    return p.parse_args(words)


def test_this_process_is_the_default() -> None:
    assert engine_of_flags(flags()) is None


def test_what_dask_is_asked_for() -> None:
    cores = len(os.sched_getaffinity(0))
    dask = ("--engine", "dask")
    assert engine_of_flags(flags(*dask)) == EngineSettings(DaskSettings(None, cores))
    asked = engine_of_flags(flags(*dask, "--dask-workers", "7", "--dask-folder", "f", "--quiet"))
    assert asked == EngineSettings(DaskSettings(None, 7), "f", True)
    asked = engine_of_flags(flags(*dask, "--dask-scheduler", "tcp://h:1"))
    assert asked is not None
    assert asked.dask.scheduler == "tcp://h:1"


def test_flags_as_words_ask_for_the_same() -> None:
    for line in ("", "--engine dask", "--engine dask --dask-workers 3 --dask-folder f"):
        assert " ".join(engine_words(flags(*line.split()))) == line


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("--dask-workers 2", "--dask-workers goes with --engine dask"),
        ("--dask-folder f", "--dask-folder goes with --engine dask"),
        ("--engine dask --dask-workers 2 --dask-scheduler tcp://h:1", "workers of its own"),
    ],
)
def test_what_does_not_fit(words: str, fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        engine_of_flags(flags(*words.split()))


def test_flags_travel_with_whole_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    line = "--weights w --ref a --ref /b --beam 3 --engine dask --output o"
    travelled = flags_to_send(flags(*line.split()), ("weights", "ref"))
    assert travelled == {"weights": f"{tmp_path}/w", "ref": [f"{tmp_path}/a", "/b"], "beam": "3"}
    there = received_flags(travelled)
    assert (there.weights, there.jobs, there.quiet) == (f"{tmp_path}/w", 1, True)


def test_a_folder_of_results_goes_unless_it_was_named(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    output, kept = tmp_path / "out", tmp_path / "kept"
    settings = DaskSettings(workers=1)
    with open_engine(EngineSettings(settings, quiet=True), os.fspath(output)) as (_, folder):
        assert Path(folder).parent == tmp_path
        assert Path(folder).is_dir()
    assert list(tmp_path.iterdir()) == []
    with open_engine(EngineSettings(settings, os.fspath(kept), True), "out") as (_, folder):
        assert folder == os.fspath(kept)
    assert list(tmp_path.iterdir()) == [kept]
    assert list(kept.iterdir()) == []
