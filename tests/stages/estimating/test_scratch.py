"""What is appended is read by place, and a full disk is one line."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.stages.estimating.scratch import FileColumn


def test_rows_are_read_by_place(tmp_path: Path) -> None:
    column, rows = FileColumn(str(tmp_path), "<u4", 3), FileColumn(str(tmp_path), "<f8")
    table = np.arange(30, dtype=np.uint32).reshape(-1, 3)
    for start in range(0, 10, 4):
        column.append(table[start : start + 4])
    rows.append(np.arange(5) / 7)
    assert column.size == 10
    assert column.read(3, 8).tolist() == table[3:8].tolist()
    assert column.read(4, 4).shape == (0, 3)
    assert [(at, piece.tolist()) for at, piece in rows.pieces(3)] == [
        (0, [0.0, 1 / 7, 2 / 7]),
        (3, [3 / 7, 4 / 7]),
    ]
    assert os.listdir(tmp_path) == []


def test_a_full_disk() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    column = FileColumn("/tmp", "<u4")
    with open("/dev/full", "wb", buffering=0) as full:
        os.dup2(full.fileno(), column._file)
    with pytest.raises(DataError, match="/tmp: cannot be written: No space left"):
        column.append(np.arange(10))
