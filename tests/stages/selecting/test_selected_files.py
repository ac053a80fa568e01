"""The files of a selection: the chosen lines, and all files or none."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.stages.selecting.parallel_lines import LineBatch
from campanula.stages.selecting.selected_files import SelectedFiles, paths

BATCHES = [
    (LineBatch(0, (["a", "b", "ä"], ["A", "B", "Ä"])), np.array([True, False, True])),
    (LineBatch(3, (["d"], ["D"])), np.array([True])),
]


def test_the_chosen_lines_and_their_numbers(tmp_path: Path) -> None:
    prefix = os.fspath(tmp_path / "part")
    with SelectedFiles(prefix, 2) as out:
        for batch, chosen in BATCHES:
            out.write(batch, chosen)
    assert out.written == 3
    texts = [Path(path).read_text() for path in paths(prefix, 2)]
    assert texts == ["a\nä\nd\n", "A\nÄ\nD\n", "0\n2\n3\n"]
    assert sorted(os.listdir(tmp_path)) == ["part.indices", "part.source", "part.target"]
    assert [path.rpartition(".")[2] for path in paths("x", 3)] == [
        "source",
        "target",
        "alignment",
        "indices",
    ]


def test_a_failure_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(IndexError), SelectedFiles(os.fspath(tmp_path / "part"), 2) as out:
        out.write(LineBatch(0, (["a"], ["A"])), np.array([True, True]))
    assert os.listdir(tmp_path) == []
    with pytest.raises(DataError), SelectedFiles(os.fspath(tmp_path / "none" / "part"), 2):
        pass
