"""The code of docs/python.md runs, block after block, and its entry points give names."""

from __future__ import annotations

import ast
import os
import re
import shutil
import textwrap
from pathlib import Path
from typing import Any

import pytest

import campanula
from tests.pages import ROOT, blocks, run_block, text_of

PAGE = text_of("python")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the examples; names that the page adds are taken away again."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for table in (campanula.LOSSES, campanula.METRICS, campanula.LIST_FORMATS):
        monkeypatch.setattr(table, "_items", dict(table._items))
    return tmp_path


def run_python(folder: Path) -> dict[str, Any]:
    """The names that the page's Python leaves."""
    names: dict[str, Any] = {}
    for block in blocks(PAGE, "python"):
        exec(compile(block, "docs/python.md", "exec"), names)
    return names


def test_the_python_runs_and_says_what_is_true(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = run_python(folder)
    lines = capsys.readouterr().out.splitlines()
    before, after = (float(line.partition(" = ")[2].split()[0]) for line in lines[:2])
    assert after > before
    assert dict(campanula.read_weights("tuned")) == dict(names["tuned"].weights)
    assert names["tuned"].history[-1] < names["tuned"].history[0]
    assert names["smooth"].weights["LM0"] == names["start"]["LM0"]
    assert names["scores"] == pytest.approx(names["arrays"].score, abs=1e-3)
    assert names["squared"].objective < names["squared"].history[0]
    old = campanula.evaluate(campanula.ranked(names["shared"], names["start"])).value
    new = campanula.evaluate(campanula.ranked(names["shared"], names["best"].weights)).value
    assert new > old
    assert "QuestionMarks" in names["longer"].names


def test_the_first_block_is_short() -> None:
    lines = [line for line in blocks(PAGE, "python")[0].splitlines() if line.strip()]
    assert len(lines) < 15


def test_own_names_work_in_the_commands(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package as pip would install it: a module, and its entry points."""
    package = folder / "site"
    info = package / "my_package-1.0.dist-info"
    info.mkdir(parents=True)
    statements = [node for block in blocks(PAGE, "python") for node in ast.parse(block).body]
    own = [ast.unparse(node) for node in statements if isinstance(node, ast.FunctionDef)]
    (package / "my_package.py").write_text("\n\n".join(["import campanula", *own]))
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    (toml,) = blocks(PAGE, "toml")
    entry_points = re.sub(r'\[project\.entry-points\."(.*)"\]', r"[\1]", toml).replace('"', "")
    (info / "entry_points.txt").write_text(textwrap.dedent(entry_points))
    monkeypatch.setenv("PYTHONPATH", os.fspath(package))
    (folder / "some.arrows").write_text("0 -> -1.5 -> a house\n0 -> -0.5 -> the house\n")
    (block,) = blocks(PAGE, "sh")
    shown, best = run_block(block, folder).splitlines()
    assert '"text": "the house"' in shown
    assert "god" in best


def test_every_public_name_stands_on_the_page_and_is_there() -> None:
    for name in campanula.__all__:
        assert getattr(campanula, name) is not None
        assert name == "__version__" or f"`{name}`" in PAGE
    assert set(campanula.__all__) <= set(dir(campanula))
