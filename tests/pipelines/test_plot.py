"""The learning curve."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import replace
from pathlib import Path

import pytest

from campanula.pipelines import plot
from campanula.pipelines.history import Iteration, Values

HISTORY = [
    Iteration(0, 30.0, {"test": 28.0}, 1.0, 9, 90, {}),
    Iteration(1, 31.0, {}, 0.9, 9, 90, {}, Values(32.0, {"test": 29.0})),
]
BEST = [*HISTORY[:1], Iteration(1, 29.0, {}, None, 9, 90, {}, HISTORY[0].values, 0, "no gain")]


def test_points() -> None:
    assert plot.points(HISTORY) == {
        "dev": [(0, 30.0), (1, 31.0), (2, 32.0)],
        "test": [(0, 28.0), (2, 29.0)],
    }


def test_the_weights_that_were_kept_stand_where_they_were_made() -> None:
    assert plot.points(BEST) == {"dev": [(0, 30.0), (1, 29.0)], "test": [(0, 28.0)]}


def test_a_picture_is_drawn_the_same_each_time(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    paths = [os.fspath(tmp_path / name) for name in ("one.png", "two.png")]
    assert [plot.draw(path, HISTORY) for path in paths] == paths
    one, two = (Path(path).read_bytes() for path in paths)
    assert one == two
    assert one.startswith(b"\x89PNG")
    assert sorted(os.listdir(tmp_path)) == ["one.png", "two.png"]


def test_the_gain_of_training_outputs_is_drawn_beside(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    paths = [os.fspath(tmp_path / name) for name in ("one.png", "two.png")]
    plot.draw(paths[0], HISTORY)
    plot.draw(paths[1], [replace(entry, train=0.5) for entry in HISTORY])
    one, two = (Path(path).read_bytes() for path in paths)
    assert one != two


def test_without_matplotlib_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert plot.draw(os.fspath(tmp_path / "curve.png"), HISTORY) is None
    assert os.listdir(tmp_path) == []
