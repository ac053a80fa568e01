"""Rows come sorted, however little memory there is."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from campanula.stages.estimating.sorted_rows import RowForm, SortedRows, count_up_to

MEMORY = [1, 20_000, 1 << 20]


@pytest.mark.parametrize("memory", MEMORY)
@pytest.mark.parametrize("largest", [2, 100_000, (1 << 32) - 1])
def test_sorted(tmp_path: Path, memory: int, largest: int) -> None:
    rng = np.random.default_rng(memory)
    rows = rng.integers(0, largest, (2000, 3)).astype(np.uint32)
    sorting = SortedRows(RowForm(3, 2), str(tmp_path), memory)
    for start in range(0, 2000, 30):
        sorting.add(rows[start : start + 30])
    found = [tuple(row) for block in sorting.blocks() for row in block.tolist()]
    assert [row[:2] for row in found] == sorted(tuple(row) for row in rows[:, :2].tolist())
    assert sorted(found) == sorted(tuple(row) for row in rows.tolist())


@pytest.mark.parametrize("memory", MEMORY)
def test_equal_keys_are_summed(tmp_path: Path, memory: int) -> None:
    rng = np.random.default_rng(memory)
    rows = rng.integers(0, 8, (3000, 3)).astype(np.uint32)
    sorting = SortedRows(RowForm(3, 2, summed=True), str(tmp_path), memory)
    for start in range(0, 3000, 17):
        sorting.add(rows[start : start + 17])
    expected: Counter[tuple[int, int]] = Counter()
    for a, b, number in rows.tolist():
        expected[a, b] += number
    found = [tuple(row) for block in sorting.blocks() for row in block.tolist()]
    assert found == [(*key, total) for key, total in sorted(expected.items())]


def test_no_row(tmp_path: Path) -> None:
    assert [len(block) for block in SortedRows(RowForm(2, 1), str(tmp_path), 100).blocks()] == [0]


def test_rows_up_to_a_key() -> None:
    rows = np.array([[1, 1], [1, 3], [2, 0], [2, 0], [4, 0]], np.uint32)
    keys = [(0, 9), (1, 0), (1, 1), (1, 2), (2, 0), (3, 0), (9, 9)]
    assert [count_up_to(rows, key) for key in keys] == [0, 0, 1, 1, 4, 4, 5]
