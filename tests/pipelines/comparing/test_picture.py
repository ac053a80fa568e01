"""The picture of a comparison: panels by data set, and the same bytes each time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from campanula.pipelines.comparing import picture
from campanula.pipelines.comparing.compared_run import ComparedRun
from campanula.pipelines.comparing.tables import compare_set
from tests.pipelines.comparing.folders import write_history
from tests.pipelines.comparing.test_tables import FEW, runs

__all__ = ["runs"]  # a fixture


def words(path: Path) -> list[str]:
    """Texts of an SVG."""
    return re.findall(r">([^<>\n]+)</text>", path.read_text())


def test_curves_above_and_values_below(runs: list[ComparedRun], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    write_history(Path("a"), 10.0, 20.0)
    for seed in (1, 2):
        write_history(Path(f"b/replicate-{seed}"), 10.0, 20.0 + seed, 30.0)
    compared = [compare_set(runs, name, None, FEW) for name in ("dev", "test")]
    for name in ("one.svg", "two.svg", "one.png", "one.pdf"):
        picture.draw(name, runs, compared)
    assert Path("one.svg").read_bytes() == Path("two.svg").read_bytes()
    found = words(Path("one.svg"))
    assert {"dev", "test", "iteration", "bleu", "a", "b"} <= set(found)
    assert found.count("BLEU, 95 % interval") == 2
    assert found.count("iteration") == 2


def test_without_histories_there_are_values_alone(runs: list[ComparedRun]) -> None:
    pytest.importorskip("matplotlib")
    picture.draw("values.svg", runs, [compare_set(runs, "dev", None, FEW)])
    found = words(Path("values.svg"))
    assert "iteration" not in found
    assert "BLEU, 95 % interval" in found
