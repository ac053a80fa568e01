"""The learning curve: corpus metric of dev and test sets by iteration, as a picture.

Where the training text was decoded, too, the mean gain of its outputs has an axis on the right.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

from campanula.formats.atomic import atomic_file
from campanula.pipelines.history import Iteration


def points(history: Sequence[Iteration]) -> dict[str, list[tuple[int, float]]]:
    """Curve (iteration, value) of every data set, in order, the final weights' included."""
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


def draw(path: str, history: Sequence[Iteration], metric: str = "bleu") -> str | None:
    """Draw the curve to a PNG file and return its path; None without matplotlib (extra `plot`)."""
    if importlib.util.find_spec("matplotlib") is None:
        return None
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    for name, curve in points(history).items():
        iteration, value = zip(*curve, strict=True)
        axes.plot(iteration, value, marker="o", markersize=3, label=name)
    axes.set(xlabel="iteration", ylabel=metric)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(alpha=0.3)
    lines = axes.get_lines()
    if train := [(entry.iteration, entry.train) for entry in history if entry.train is not None]:
        right = axes.twinx()
        right.set_ylabel("mean gain of the training text")
        right.plot(*zip(*train, strict=True), color="black", linestyle="--", label="train")
        lines += right.get_lines()
    axes.legend(handles=lines)
    with atomic_file(path) as unfinished:
        figure.savefig(unfinished, format="png", dpi=150, metadata={"Software": None})
    return path
