"""The recipes of docs/pipelines.md run, on a decoder that speaks the formats of others."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pages import ROOT, blocks, run_block, text_of
from tests.pipelines import pool_decoder
from tests.plain import json_lines

PAGE = text_of("pipelines")
RECIPES = re.findall(r"^### (\w+).*?^```sh\n(.*?)^```$", PAGE, re.M | re.S)
CODE = blocks(PAGE, "python")
PROGRAMS = {"moses": "moses", "cdec": "cdec", "marian-decoder": "marian"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the recipes name, and the programs on the path."""
    pool_decoder.write(tmp_path)
    (tmp_path / "bin").mkdir()
    for name, form in PROGRAMS.items():
        program = tmp_path / "bin" / name
        program.write_text(f'#!/bin/sh\nexec {sys.executable} {pool_decoder.SELF} {form} "$@"\n')
        program.chmod(0o755)
    for name in ("moses.ini", "cdec.ini", "config.yml"):
        (tmp_path / name).write_bytes((tmp_path / "pool.ini").read_bytes())
    (tmp_path / "w0.cdec").write_bytes((tmp_path / "w0").read_bytes())
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


@pytest.mark.parametrize(("name", "recipe"), RECIPES, ids=[name for name, _ in RECIPES])
def test_a_recipe_runs_and_dev_gains(folder: Path, name: str, recipe: str) -> None:
    run_block(recipe, folder)
    if name == "Marian":
        assert len((folder / "dev.out").read_text().splitlines()) == 25
        return
    work = folder / f"run-{name.lower()}"
    lines = json_lines(work / "history.jsonl")
    least = 0 if "tune mert" in recipe else 5  # 25 sentences have a small region
    assert lines[-1]["tuned"]["dev"] > lines[0]["dev"] + least


def test_the_script_for_chrf_is_the_one_that_is_tested() -> None:
    (script,) = (code for code in CODE if "CHRF" in code)
    assert script == (ROOT / "tests" / "pipelines" / "chrf_statistics.py").read_text()


def test_the_pipeline_in_python_is_a_script(tmp_path: Path) -> None:
    """It makes a model of parallel text, with two workers, and finds it all when run again."""
    (script,) = (code for code in CODE if "extract-blocks" in code)
    (tmp_path / "build.py").write_text(script)
    words = {"der": "the", "hund": "dog", "ein": "a", "mann": "man", "schläft": "sleeps"}
    lines = [" ".join(pair) for pair in itertools.permutations(words, 3)]
    (tmp_path / "train.de").write_text("".join(f"{line}\n" for line in lines))
    english = (" ".join(words[word] for word in line.split()) for line in lines)
    (tmp_path / "train.en").write_text("".join(f"{line}\n" for line in english))
    argv = [sys.executable, "build.py"]
    printed = [
        subprocess.run(argv, cwd=tmp_path, check=True, capture_output=True, text=True, timeout=300)
        for _ in range(2)
    ]
    assert printed[0].stdout == printed[1].stdout
    assert [(tmp_path / path).is_file() for path in printed[0].stdout.split()] == [True] * 3


def test_there_is_a_recipe_for_each() -> None:
    assert [name for name, _ in RECIPES] == ["Moses", "cdec", "Marian"]
