"""Compiling all: the jobs are whole, and after them a command compiles nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from campanula import cli, warm_up
from campanula.stages.kernels import kernel_cache
from campanula.stages.tuning.losses import LOSSES
from campanula.stages.tuning.solvers.table import SOLVERS


def test_every_command_but_those_without_kernels_is_run() -> None:
    names = {job.line.partition(" ")[0] for job in warm_up.jobs()}
    assert set(cli.STAGES) - names == {"show", "export-weights", "prune-kbest"}


def test_every_loss_is_tried_with_every_solver() -> None:
    lines = [job.line for job in warm_up.tuning_jobs()]
    for loss in LOSSES:
        for solver in SOLVERS:
            assert any(f"--loss {loss} --solver {solver} " in line for line in lines)


def test_a_job_that_fails_is_an_error_and_one_that_may_be_refused_is_none(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"none\.txt: cannot be read"):
        warm_up.run(warm_up.Job("export-weights none.txt -o out.txt"), str(tmp_path))
    refused = "export-weights none.txt --format none -o out.txt"
    warm_up.run(warm_up.Job(refused, may_fail=True), str(tmp_path))
    with pytest.raises(RuntimeError, match="no weights format is called"):
        warm_up.run(warm_up.Job(refused), str(tmp_path))


def test_texts_and_their_links_fit(tmp_path: Path) -> None:
    warm_up.write_texts(str(tmp_path))
    lengths = {
        name: [len(line.split()) for line in (tmp_path / f"{name}.txt").read_text().splitlines()]
        for name in ("source", "target", "links", "other")
    }
    assert lengths["source"] == lengths["target"] == lengths["links"] == lengths["other"]
    assert len(lengths["source"]) == len(warm_up.PATTERNS) * len(warm_up.NOUNS)


def test_a_command_after_it_compiles_nothing(tmp_path: Path) -> None:
    """In the folder of kernels of this session: a second run of all jobs finds all of them."""
    env = os.environ | {"NUMBA_DISABLE_JIT": "0"}
    run = [sys.executable, "-m", "campanula", "warm-up", "-q"]
    subprocess.run(run, check=True, env=env)
    before = warm_up.count(kernel_cache.folder())
    assert before > 0
    del run[-1]
    done = subprocess.run(run, check=True, env=env, capture_output=True, text=True)
    assert done.stderr.startswith("warm-up: 0 kernels compiled, kept in ")
    assert warm_up.count(kernel_cache.folder()) == before


def test_without_a_folder_for_kernels_nothing_is_compiled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kernel_cache, "folder", lambda: None)
    monkeypatch.setenv("CAMPANULA_CACHE", str(tmp_path / "file"))
    assert warm_up.main([]) == 1
    assert "file: expected a folder that can keep compiled kernels" in capsys.readouterr().err
