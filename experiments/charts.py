"""Figures of tables, as SVG; the same table gives the same bytes.

A table's `figure` is one of:

    {"kind": "bars", "columns": [...], "over": ROW}    a group a column, a bar a row; above a row's
    {"kind": "curves", "columns": [...], "ends": ...}  a line a column, by the number of the row
    {"kind": "points", "columns": [X, Y]}              a mark a value; rows are `colour, mark`

`ends` are the first and last points (x, y) of curves that a paper shows, by name, drawn dotted.
`bounds` are the least and the greatest value that the metric of curves can have.
"""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING

from campanula.pipelines import plot
from campanula.stages.metrics.metric import PERCENT, UNBOUNDED
from experiments.tables import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKS = "osv^D"


def draw(table: Table, path: str) -> None:
    """Draw a table's figure to a file."""
    # not pyplot, which keeps its figures and may look for a screen; loaded only where one is drawn
    from matplotlib.figure import Figure

    kind = table.figure["kind"]
    # bars want room for each column, curves and points the usual page
    wide = 1.5 + 1.3 * len(table.figure["columns"]) if kind == "bars" else 6.0
    figure = Figure(figsize=(max(wide, 5.0), 3.8), layout="constrained")
    axes = figure.subplots()
    KINDS[kind](axes, table)
    axes.grid(alpha=0.3, axis="y" if kind == "bars" else "both")
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    plot.save(figure, path)


def bars(axes: Axes, table: Table) -> None:
    """Draw for each column a group of bars, one for each row.

    A bar is the value, or its difference from that of the row `over`.
    """
    base = table.figure.get("over")
    rows = [row for row in table.rows if row != base]
    columns = table.figure["columns"]
    width = 0.8 / max(len(rows), 1)  # of the distance 1 between groups: 0.2 is the gap
    for number, row in enumerate(rows):
        means = [(place, table.mean(row, c), c) for place, c in enumerate(columns)]
        heights = {place: v - _base(table, c) for place, v, c in means if v is not None}
        places = [place + number * width for place in heights]
        axes.bar(places, [*heights.values()], width, label=row, color=f"C{number % 10}")
    middle = (len(rows) - 1) * width / 2
    axes.set_xticks([place + middle for place in range(len(columns))], columns)
    axes.axhline(0.0, color="black", linewidth=0.8)
    axes.set_ylabel(table.figure["label"])


def _base(table: Table, column: str) -> float:
    """Value of the row that bars are above; 0 without such a row or value."""
    over = table.figure.get("over")
    return (table.mean(over, column) or 0.0) if over else 0.0


def curves(axes: Axes, table: Table) -> None:
    """Draw a line for each column; rows are named by numbers, the x of their points."""
    for column in table.figure["columns"]:
        means = [(int(row), table.mean(row, column)) for row in table.rows]
        drawn = [(x, y) for x, y in means if y is not None]
        if drawn:
            axes.plot(*zip(*drawn, strict=True), "o-", markersize=3, label=column)
    for number, (name, ends) in enumerate(table.figure.get("ends", {}).items()):
        axes.plot(*zip(*ends, strict=True), f"C{number}^:", markersize=5, label=name)
    low, high = table.figure.get("bounds", UNBOUNDED)
    plot.bound_values(axes, (low, high))
    axes.set_xlabel(table.figure["rows"])
    axes.set_ylabel(table.figure["label"])


def points(axes: Axes, table: Table) -> None:
    """Draw a mark for each replicate: x and y are its values in the two columns.

    A row whose two cells differ in number has one mark, at their means.
    """
    x, y = table.figure["columns"]
    names = [row.partition(", ") for row in table.rows]
    colours, marks = (list(dict.fromkeys(name[place] for name in names)) for place in (0, 2))
    for row, (colour, _, mark) in zip(table.rows, names, strict=True):
        cells = [table.rows[row].get(column, ()) for column in (x, y)]
        numbers = [list(cell) for cell in cells if not isinstance(cell, str)]
        # values of different numbers of replicates cannot be paired
        if len(numbers[0]) != len(numbers[1]):
            numbers = [[mean(cell)] for cell in numbers]
        shape = MARKS[marks.index(mark) % len(MARKS)]
        axes.plot(*numbers, shape, color=f"C{colours.index(colour)}", label=row, alpha=0.8)
    plot.bound_values(axes, PERCENT)
    axes.set_xlabel(f"{x} BLEU")
    axes.set_ylabel(f"{y} BLEU")


KINDS = {"bars": bars, "curves": curves, "points": points}
