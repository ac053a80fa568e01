"""The learning curve: points, bands of replicates, and pictures that are the same each time."""

from __future__ import annotations

import importlib.util
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from campanula.pipelines import plot
from campanula.pipelines.history import Iteration, Values
from campanula.pipelines.plot import CurvePoint

HISTORY = [
    Iteration(0, 30.0, {"test": 28.0}, 1.0, 9, 90, {}),
    Iteration(1, 31.0, {}, 0.9, 9, 90, {}, Values(32.0, {"test": 29.0})),
]
BEST = [*HISTORY[:1], Iteration(1, 29.0, {}, None, 9, 90, {}, HISTORY[0].values, 0, "no gain")]
BEGINNINGS = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}


def test_points() -> None:
    assert plot.points(HISTORY) == {
        "dev": [(0, 30.0), (1, 31.0), (2, 32.0)],
        "test": [(0, 28.0), (2, 29.0)],
    }


def test_the_weights_that_were_kept_stand_where_they_were_made() -> None:
    assert plot.points(BEST) == {"dev": [(0, 30.0), (1, 29.0)], "test": [(0, 28.0)]}


def test_bands_are_of_the_replicates_that_have_got_there() -> None:
    assert plot.bands([HISTORY, BEST, HISTORY[:1]]) == {
        "dev": [
            CurvePoint(0, 30.0, 30.0, 30.0),
            CurvePoint(1, 30.0, 29.0, 31.0),
            CurvePoint(2, 32.0, 32.0, 32.0),
        ],
        "test": [CurvePoint(0, 28.0, 28.0, 28.0), CurvePoint(2, 29.0, 29.0, 29.0)],
    }
    assert plot.bands([]) == {}


@pytest.mark.parametrize("suffix", BEGINNINGS)
def test_a_picture_is_drawn_the_same_each_time(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    paths = [os.fspath(tmp_path / f"{name}.{suffix}") for name in ("one", "two", "three")]
    assert [plot.draw(path, [HISTORY]) for path in paths[:2]] == paths[:2]
    plot.draw(paths[2], [HISTORY, BEST])
    one, two, three = (Path(path).read_bytes() for path in paths)
    assert one == two != three
    assert one.startswith(BEGINNINGS[suffix])
    assert len(os.listdir(tmp_path)) == 3


def test_no_place_is_searched_for_the_legend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matplotlib warns where its search takes more than a second, as it does on a busy machine."""
    legend = pytest.importorskip("matplotlib.legend").Legend
    monkeypatch.delattr(legend, "_find_best_position")
    path = os.fspath(tmp_path / "curve.svg")
    assert plot.draw(path, [HISTORY]) == path


def test_text_of_an_svg_is_text(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "curve.svg"
    plot.draw(os.fspath(path), [HISTORY], "WER")
    assert all(f">{word}</text>" in path.read_text() for word in ("dev", "test", "WER"))


def test_the_gain_of_training_outputs_is_drawn_beside(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "curve.svg"
    plot.draw(os.fspath(path), [[replace(entry, train=0.5) for entry in HISTORY]])
    assert "mean gain of the training text" in path.read_text()


def test_without_matplotlib_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert plot.draw(os.fspath(tmp_path / "curve.png"), [HISTORY]) is None
    curve = plot.Curve(os.fspath(tmp_path))
    curve.show(HISTORY)
    curve.draw()
    assert os.listdir(tmp_path) == []
    assert plot.where("run") == "no curve (extra `plot`)"


def test_pictures_are_drawn_while_a_run_goes_on_but_seldom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[str, int]] = []
    now = [0.0]

    def draw(path: str, histories: list[list[Iteration]], metric: str) -> None:
        drawn.append((os.path.relpath(path, tmp_path), sum(map(len, histories))))
        now[0] += 1.0

    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(plot, "draw", draw)
    curve = plot.Curve(os.fspath(tmp_path))
    curve.show(HISTORY[:1])
    assert drawn == []
    now[0] = plot.FIRST
    curve.show(HISTORY[:1])
    assert drawn == [("curve.svg", 1), ("curve.png", 1)]
    now[0] += 2.0 / plot.SHARE - 0.5
    curve.show(HISTORY)
    assert len(drawn) == 2
    now[0] += 1.0
    curve.show(HISTORY)
    assert drawn[2:] == [("curve.svg", 2), ("curve.png", 2)]


def test_a_replicate_is_in_the_picture_of_all(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    folders = [tmp_path / f"replicate-{seed}" for seed in (2, 10)]
    every = plot.Curve(os.fspath(tmp_path))
    for folder, history in zip(folders, (HISTORY, BEST), strict=True):
        folder.mkdir()
        own = plot.Curve(os.fspath(folder), of_all=every)
        own.show(history[:1])
        own.show(history)
        own.draw()
    every.draw()
    both = tmp_path / "both.png"
    plot.draw(os.fspath(both), [BEST, HISTORY])
    assert (tmp_path / "curve.png").read_bytes() == both.read_bytes()
    names = ["curve.png", "curve.svg"]
    assert all(sorted(os.listdir(folder)) == names for folder in folders)
