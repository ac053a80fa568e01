"""What a run leaves for its report: first translations, weights by iteration, the last lists."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from campanula.formats.weights import Weights
from campanula.pipelines import evidence, tune
from campanula.stages import decode
from tests.pipelines import tiny


def run(folder: Path, *flags: str) -> Path:
    words = ["rampion", *tiny.write(folder), "--iterations", "2", "-q", *flags]
    assert tune.main([*words, "--work-dir", os.fspath(folder / "run")]) == 0
    return folder / "run"


@pytest.mark.parametrize("trim", [[], ["--trim"]])
def test_what_is_left(tmp_path: Path, trim: list[str]) -> None:
    made = run(tmp_path, *trim)
    model = ["--phrase-table", "phrase-table", "--lm", "lm.arpa", "--weights", "w0"]
    words = [w if w.startswith("--") else os.fspath(tmp_path / w) for w in ["dev.de", *model]]
    first = tmp_path / "first.out"
    assert decode.main([*words, "--text", "-q", "-o", os.fspath(first)]) == 0
    assert (made / "before" / "dev.out").read_bytes() == first.read_bytes()
    theta = evidence.read_theta(os.fspath(made / "theta.jsonl"))
    assert len(theta) == 3
    assert theta[0] == dict(Weights.read(os.fspath(tmp_path / "w0")))
    assert theta[-1] == dict(Weights.read(os.fspath(made / "weights")))
    assert (made / "dev.kbest").is_symlink()
    assert (made / "dev.kbest").exists()


def test_first_translations_outlive_their_lists(tmp_path: Path) -> None:
    made = run(tmp_path, "--trim")
    before = (made / "before" / "dev.out").read_bytes()
    shutil.rmtree(made / "before")
    assert (run(tmp_path, "--trim") / "before" / "dev.out").read_bytes() == before


def test_of_many_features_those_that_move_are_kept(tmp_path: Path) -> None:
    many = evidence.MOST + 10
    theta = [{f"f{i}": float(i) * t for i in range(many)} for t in range(3)]
    path = os.fspath(tmp_path / "theta.jsonl")
    evidence.write_theta(path, theta)
    assert [set(t) for t in evidence.read_theta(path)] == [{f"f{i}" for i in range(10, many)}] * 3


def test_no_file_is_no_weights(tmp_path: Path) -> None:
    assert evidence.read_theta(os.fspath(tmp_path / "theta.jsonl")) == []
