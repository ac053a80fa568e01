"""Figures of tables: curves with a paper's ends, points by method and start, bars above a row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("matplotlib")

from experiments import charts
from experiments.tables import Table

CURVES: dict[str, Any] = {
    "kind": "curves",
    "columns": ["train"],
    "rows": "iteration l",
    "label": "BLEU, %",
}
CURVES |= {"ends": {"the paper's train": [(1, 19.0), (30, 46.0)]}}
POINTS = {"kind": "points", "columns": ["dev", "old"]}
BARS = {"kind": "bars", "columns": ["dev"], "over": "mert, default", "label": "gain"}
RUNS = {
    "mert, default": {"dev": [1.0, 2.0], "old": [3.0, 4.0]},
    "mert, 1": {"dev": [1.0], "old": [3.0, 4.0]},
}


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (Table("t", ["train"], {"2": {"train": [1.0]}, "10": {}}, figure=CURVES), "the paper"),
        (Table("t", ["dev", "old"], RUNS, figure=POINTS), "mert, default"),
        (Table("t", ["dev", "old"], RUNS, figure=BARS), "mert, 1"),
        (Table("t", [], {}, figure={**BARS, "over": None, "columns": []}), "gain"),
    ],
)
def test_a_figure_has_its_legend_and_always_the_same_bytes(
    table: Table, text: str, tmp_path: Path
) -> None:
    made = []
    for name in ("a.svg", "b.svg"):
        charts.draw(table, str(tmp_path / name))
        made.append((tmp_path / name).read_bytes())
    assert made[0] == made[1]
    assert text.encode() in made[0]
