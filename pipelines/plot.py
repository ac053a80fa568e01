"""The learning curve: corpus metric of dev and test sets by iteration, as pictures.

Of replicates the line is the mean and the band goes from the lowest to the highest, over those that
have reached the iteration.  Where the training text was decoded, too, the mean gain of its outputs
has an axis on the right.  `curve.svg` and `curve.png` are drawn at the end of a run, and during it,
so seldom that they take at most SHARE of its time.
"""

from __future__ import annotations

import importlib.util
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from statistics import mean
from typing import TYPE_CHECKING, Final, NamedTuple

from campanula.formats.atomic import atomic_file
from campanula.pipelines.history import Iteration
from campanula.stages.metrics.metric import Bounds

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

FORMATS = ("svg", "png")
FIRST = 5.0  # seconds until the first picture: a shorter run draws only the one at its end
SHARE = 0.05  # of a run's time that pictures may take
LEGEND: Final = "lower right"  # a search for the best place warns where it takes more than a second
SALT = "campanula"  # seed of the ids in an SVG, which matplotlib makes random otherwise


class CurvePoint(NamedTuple):
    """Values of one iteration: mean, lowest and highest over the replicates."""

    iteration: int
    value: float
    low: float
    high: float


def points(history: Sequence[Iteration]) -> dict[str, list[tuple[int, float]]]:
    """Curve of every data set: (iteration, value) in order, with the final weights' value."""
    curves: dict[str, dict[int, float]] = {}
    measured = [(entry.iteration, entry.values) for entry in history]
    for entry in history:
        if entry.tuned:
            kept = entry.iteration + 1 if entry.kept is None else entry.kept
            measured.append((kept, entry.tuned))
    for iteration, values in measured:
        for name, value in {"dev": values.dev, **values.test}.items():
            curves.setdefault(name, {})[iteration] = value
    return {name: sorted(curve.items()) for name, curve in curves.items()}


def bands(histories: Iterable[Sequence[Iteration]]) -> dict[str, list[CurvePoint]]:
    """Points of every data set, over all replicates."""
    values: dict[str, dict[int, list[float]]] = {}
    for history in histories:
        for name, curve in points(history).items():
            for iteration, value in curve:
                values.setdefault(name, {}).setdefault(iteration, []).append(value)
    return {
        name: [CurvePoint(i, mean(v), min(v), max(v)) for i, v in sorted(by_iteration.items())]
        for name, by_iteration in values.items()
    }


def has_matplotlib() -> bool:
    """Whether matplotlib is installed (extra `plot`)."""
    return importlib.util.find_spec("matplotlib") is not None


class Curve:
    """Draws the curve of a run in its folder; a replicate's curve is part of `of_all`, too."""

    def __init__(self, folder: str, metric: str = "bleu", of_all: Curve | None = None) -> None:
        self._folder, self._metric, self._of_all = folder, metric, of_all
        self._histories: dict[str, Sequence[Iteration]] = {}
        self._due = time.monotonic() + FIRST

    def show(self, history: Sequence[Iteration], name: str = "") -> None:
        """Note the history of a run, or of the replicate `name`; draw if a picture is due."""
        self._histories[name] = tuple(history)
        if self._of_all is not None:
            self._of_all.show(history, self._folder)
        if time.monotonic() >= self._due:
            self.draw()

    def draw(self) -> None:
        """Draw the pictures, if there is matplotlib."""
        began = time.monotonic()
        # by name: replicates side by side come in any order, the picture is to be the same
        histories = [self._histories[name] for name in sorted(self._histories)]
        for suffix in FORMATS:
            draw(os.path.join(self._folder, f"curve.{suffix}"), histories, self._metric)
        now = time.monotonic()
        # the slower the drawing, the longer the pause: it takes at most SHARE of the time
        self._due = now + (now - began) / SHARE


def where(folder: str) -> str:
    """Path of a folder's curve for a message, or the reason why there is none."""
    if not has_matplotlib():
        return "no curve (extra `plot`)"
    return os.path.join(folder, f"curve.{FORMATS[-1]}")


def draw(path: str, histories: Sequence[Sequence[Iteration]], metric: str = "bleu") -> str | None:
    """Draw the curve of replicates to a file and return its path; None without matplotlib.

    The file's suffix is the format, one of matplotlib's: svg, png, pdf.
    """
    if not has_matplotlib():
        return None
    # not pyplot, which looks for a window system and keeps every figure in memory
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    axes.set_ylabel(metric)
    draw_bands(axes, bands(histories))
    lines = axes.get_lines()
    if len(histories) == 1:
        lines += _beside(axes, histories[0])
    axes.legend(handles=lines, loc=LEGEND)
    save(figure, path)
    return path


def draw_bands(axes: Axes, curves: Mapping[str, Sequence[CurvePoint]]) -> None:
    """Draw a line a name, with its band where replicates differ."""
    from matplotlib.ticker import MaxNLocator

    for name, curve in curves.items():
        iteration, value, low, high = zip(*curve, strict=True)
        (line,) = axes.plot(iteration, value, marker="o", markersize=3, label=name)
        if low != high:
            axes.fill_between(iteration, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
    axes.set_xlabel("iteration")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(alpha=0.3)


def bound_values(axes: Axes, bounds: Bounds) -> None:
    """End the value axis at the least and the greatest value of the metric.

    matplotlib's margins would go past them.
    """
    low, high = axes.get_ylim()
    axes.set_ylim(max(low, bounds[0]), min(high, bounds[1]))


def _beside(axes: Axes, history: Sequence[Iteration]) -> list[Line2D]:
    """Draw the gain of the training text, if the history has it, on an axis on the right.

    Return its lines, for the legend.
    """
    train = [(entry.iteration, entry.train) for entry in history if entry.train is not None]
    if not train:
        return []
    right = axes.twinx()
    right.set_ylabel("mean gain of the training text")
    right.plot(*zip(*train, strict=True), color="black", linestyle="--", label="train")
    return list(right.get_lines())


def save(figure: Figure, path: str) -> None:
    """Write a figure in the format of its path's suffix, the same bytes each time."""
    from matplotlib import rc_context

    suffix = os.path.splitext(path)[1].removeprefix(".")
    # None takes out what matplotlib would write: dates and its version, which change the bytes
    nobody = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}}
    nobody["pdf"] = {"CreationDate": None, "Creator": None, "Producer": None}
    with (
        atomic_file(path) as unfinished,
        rc_context({"svg.hashsalt": SALT, "svg.fonttype": "none"}),  # text as text
    ):
        figure.savefig(unfinished, format=suffix, dpi=150, metadata=nobody[suffix])
