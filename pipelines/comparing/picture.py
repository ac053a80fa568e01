"""The picture of a comparison: curves of all runs above, their final values below.

A column is a data set.  Above: the metric by iteration; of replicates the mean, and a band from the
lowest to the highest.  Below: values under the kept weights, a mark for each replicate, with the
95 % interval of their mean over samples of the sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from campanula.pipelines import plot
from campanula.pipelines.comparing.compared_run import ComparedRun
from campanula.pipelines.comparing.tables import SetCompared, metrics_of
from campanula.stages.comparing.comparison import Comparison
from campanula.stages.metrics.metric import Metric

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, HEIGHT = 5.0, 3.6  # of a panel, in inches
Curves = Mapping[str, Mapping[str, Sequence[plot.CurvePoint]]]
"""Points by run and data set."""


def draw(path: str, runs: Sequence[ComparedRun], compared: Sequence[SetCompared]) -> None:
    """Draw the picture, by the first metric; the path's suffix is the format: svg, png or pdf.

    Curves are drawn where all runs went by one metric.
    """
    from matplotlib.figure import Figure

    metrics = metrics_of(runs)
    found = {run.name: plot.bands(run.histories()) for run in runs} if len(metrics) == 1 else {}
    curves = {name: sets for name, sets in found.items() if sets}
    rows = 2 if curves else 1
    figure = Figure(figsize=(WIDTH * len(compared), HEIGHT * rows), layout="constrained")
    # without squeeze=False one row or column would be no matrix
    panels = figure.subplots(rows, len(compared), squeeze=False)
    for column, one in enumerate(compared):
        panels[0, column].set_title(one.name)
        if curves:
            _curves(panels[0, column], curves, one.name, metrics[0])
        _values(panels[-1, column], one.comparisons[0])
    plot.save(figure, path)


def _curves(axes: Axes, curves: Curves, name: str, metric: Metric) -> None:
    """Draw the curves of a data set; a run without that set has no line."""
    own = {run: sets[name] for run, sets in curves.items() if name in sets}
    plot.draw_bands(axes, own)
    plot.bound_values(axes, metric.bounds)
    axes.set_ylabel(metric.name)
    if own:
        axes.legend(loc=plot.LEGEND)


def _values(axes: Axes, comparison: Comparison) -> None:
    """Draw values and intervals, a line a run, the first on top."""
    for place, result in enumerate(comparison.results):
        low, high = result.interval
        axes.plot([low, high], [place, place], color=f"C{place}", linewidth=2)
        marks = [place] * len(result.values)
        axes.plot(result.values, marks, "o", color=f"C{place}", markersize=4)
    axes.set_yticks(range(len(comparison.results)), [r.system for r in comparison.results])
    # from the greatest place down, so that the first run is on top
    axes.set_ylim(len(comparison.results) - 0.5, -0.5)
    axes.set_xlabel(f"{comparison.metric}, 95 % interval")
    axes.grid(alpha=0.3, axis="x")
