"""The notebook runs, and prints what stands in it."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import campanula
from tests.pages import ROOT

NOTEBOOK = json.loads((ROOT / "examples" / "reranking.ipynb").read_text(encoding="utf-8"))
CELLS = [cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]


def printed(cell: dict[str, Any]) -> str:
    """What a cell's outputs say it printed."""
    streams = (out["text"] for out in cell["outputs"] if out["output_type"] == "stream")
    return "".join("".join(text) for text in streams)


def same(text: str) -> str:
    """Without what other versions of libraries say otherwise."""
    return re.sub(r"version:\S+", "version", text).strip()


def test_every_cell_prints_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path / "examples")
    monkeypatch.setattr(campanula.METRICS, "_items", dict(campanula.METRICS._items))
    names: dict[str, Any] = {}
    for cell in CELLS:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec("".join(cell["source"]), names)
        assert same(out.getvalue()) == same(printed(cell))
    assert len(CELLS) > 5
