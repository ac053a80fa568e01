"""The benchmark of the solvers of W15 at a small size: all lines are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import bench_expected_bleu as bench
from benchmarks.side_by_side import Cost


def test_solvers_are_measured_beside_rprop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SOLVERS", {"rprop": bench.SOLVERS["rprop"]})  # a process each
    folder, cache = tmp_path / "synthetic", tmp_path / "cache"
    folder.mkdir()
    cache.mkdir()
    bench.make(str(folder), sentences=40, entries=5, n_rows=2000)
    costs: dict[str, Cost] = {}
    rows = bench.rows(str(folder), str(cache), jobs=2, iterations=2, costs=costs)
    head, columns, *lines = rows
    assert head == "2 iterations, 2 threads"
    assert columns.split().count("rprop") == 3
    table = {line[:20].strip(): line[20:].split() for line in lines}
    assert list(table) == ["packing", *bench.SOLVERS, "growth-transform", "its table alone"]
    assert list(costs) == list(table)
    assert table["rprop"][1::2] == ["1.00"] * 3
    assert all(float(numbers[0]) > 0 for numbers in table.values())
