"""The benchmark of passes at a thousandth of its size: what it prints, and bytes on disk."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

PATH = Path(__file__).parents[2] / "benchmarks" / "bench_scale.py"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_scale", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_scale"] = module
    spec.loader.exec_module(module)
    return module


def test_lists_are_as_they_are_said_to_be(bench: ModuleType) -> None:
    for shape, (entries, different) in bench.SHAPES.items():
        kbest = bench.Lists(45_000, shape).list(3)
        ids = kbest.features.binary_id
        assert len(kbest) == bench.HYPOTHESES
        assert len(ids) == entries * bench.HYPOTHESES
        assert len(np.unique(ids)) == different


@pytest.mark.parametrize(("shape", "most"), [("narrow", 2.2), ("wide", 2.5)])
def test_every_solver_is_measured(
    bench: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: str, most: float
) -> None:
    monkeypatch.setattr(bench, "FEATURES", 45_000)
    lines = list(bench.rows(str(tmp_path), shape, jobs=2))
    entries = bench.SHAPES[shape][0] * bench.HYPOTHESES * 1000
    assert lines[0] == f"shape {shape}: 45,000 features, 1,000 lists, {entries:,} entries"
    found = re.fullmatch(r"on disk: streams ([\d.]+) bytes an entry, packed ([\d.]+)", lines[3])
    assert found is not None
    assert max(map(float, found.groups())) < most
    table = {line[:24].strip(): line[24:].split() for line in lines[6:]}
    passes = {"scores", "scores and gradients", "NumPy, one core", "scipy.sparse, one core"}
    assert table.keys() == passes | bench.SOLVERS.keys()
    for numbers in table.values():
        seconds, visits, share, _, _ = (float(x.rstrip("%").replace(",", "")) for x in numbers)
        assert seconds >= 0
        assert visits > 0
        assert share >= 0
