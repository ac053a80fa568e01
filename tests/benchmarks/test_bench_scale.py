"""The benchmark of passes at a thousandth of its size: what it prints, and bytes on disk."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from benchmarks import bench_scale as bench
from benchmarks import synthetic_lists


def test_lists_are_as_they_are_said_to_be() -> None:
    for shape, (entries, different) in synthetic_lists.SHAPES.items():
        kbest = synthetic_lists.Lists(45_000, shape).list(3)
        ids = kbest.features.binary_id
        assert len(kbest) == synthetic_lists.HYPOTHESES
        assert len(ids) == entries * synthetic_lists.HYPOTHESES
        assert len(np.unique(ids)) == different


@pytest.mark.parametrize(("shape", "most"), [("narrow", 2.2), ("wide", 2.5)])
def test_every_solver_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: str, most: float
) -> None:
    monkeypatch.setattr(bench, "FEATURES", 45_000)
    lines = list(bench.rows(str(tmp_path), shape, even=0.4, jobs=2))
    entries = synthetic_lists.SHAPES[shape][0] * synthetic_lists.HYPOTHESES * 1000
    assert lines[0] == f"shape {shape}: 45,000 features, 1,000 lists, {entries:,} entries"
    found = re.fullmatch(r"on disk: streams ([\d.]+) bytes an entry, packed ([\d.]+)", lines[3])
    assert found is not None
    assert max(map(float, found.groups())) < most
    table = {line[:24].strip(): line[24:].split() for line in lines[6:]}
    passes = {"scores", "scores and gradients", "NumPy, one core", "scipy.sparse, one core"}
    assert table.keys() == passes | bench.SOLVERS.keys()
    for numbers in table.values():
        assert [place for place, n in enumerate(numbers) if n.endswith("%")] == [2]
        assert float(numbers[1].replace(",", "")) > 0  # visits a second
    for name in ("scores", "scores and gradients"):  # the range of the visits
        fewest, to, greatest = table[name][5:]
        assert to == "to"
        assert int(fewest.replace(",", "")) <= int(greatest.replace(",", ""))
