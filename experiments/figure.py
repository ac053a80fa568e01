"""Draw the learning curve of a run of `tune relevant-set`, as the paper's Figure 2 has it.

    python -m experiments.figure RUN OUT.svg

Mean sentence BLEU on the training text without brevity penalty, and corpus BLEU on the test sets,
by iteration l; dotted, where the paper's two curves begin and end (section VI-A).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.curves import history, tested

FIGURE_2 = ((19.0, 46.0), (8.0, 35.5))  # percent, on training text and test set
FIGURE_2_L = (1, 30)


def curves_of(lines: Sequence[Mapping[str, Any]]) -> dict[str, list[tuple[int, float]]]:
    """Points (l, value in percent) of the training text and of each test set."""
    points = {"train": [(line["iteration"], 100.0 * line["train"]) for line in lines]}
    for line in lines:
        for name, value in tested(line).items():
            points.setdefault(name, []).append((line["iteration"], value))
    return points


def draw(axes: Axes, lines: Sequence[Mapping[str, Any]]) -> None:
    """Draw the curves of a history, and the ends of the paper's."""
    for number, (name, points) in enumerate(curves_of(lines).items()):
        axes.plot(*zip(*points, strict=True), f"C{number}o-", markersize=3, label=name)
    for number, (ends, name) in enumerate(zip(FIGURE_2, ("train", "test"), strict=True)):
        axes.plot(FIGURE_2_L, ends, f"C{number}^:", markersize=5, label=f"the paper's {name}")
    axes.set_xlabel("iteration l")
    axes.set_ylabel("BLEU, %")
    axes.set_ylim(bottom=0.0)
    axes.legend(frameon=False)


def main() -> None:
    """Read the history of the run, and write the figure."""
    run, out = sys.argv[1:]
    rcParams["svg.hashsalt"] = "campanula"  # the same picture, the same bytes
    figure = Figure(figsize=(7, 4.2))
    draw(figure.subplots(), history(run))
    figure.tight_layout()
    figure.savefig(out, metadata={"Date": None})


if __name__ == "__main__":
    main()
