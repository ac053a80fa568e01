"""The recipes of docs/pipelines.md run, on a decoder that speaks the formats of others."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest

from tests.docs.test_reranking import ROOT
from tests.pipelines import pool_decoder
from tests.shell import run_block

PAGE = (ROOT / "docs" / "pipelines.md").read_text(encoding="utf-8")
RECIPES = re.findall(r"^### (\w+).*?^```sh\n(.*?)^```$", PAGE, re.M | re.S)
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
    lines = [json.loads(line) for line in (work / "history.jsonl").read_text().splitlines()]
    assert lines[-1]["tuned"]["dev"] > lines[0]["dev"] + 5


def test_there_is_a_recipe_for_each() -> None:
    assert [name for name, _ in RECIPES] == ["Moses", "cdec", "Marian"]
