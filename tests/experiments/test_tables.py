"""Tables of experiments: means and deviations, the best of a column, all three forms."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from experiments import tables

TABLE = tables.Table(
    "BLEU & more",
    ["ar old_1", "avg"],
    {"mert": {"ar old_1": [20.0, 22.0], "avg": [21.0]}, "pro": {"avg": [21.5]}},
    {"mert": {"ar": "x"}},
    {"kind": "bars", "columns": ["avg"], "label": "BLEU"},
)


def test_markdown_has_means_deviations_and_the_best_in_bold() -> None:
    assert list(tables.markdown(TABLE)) == [
        "|  | ar old_1 | avg |",
        "|---|---|---|",
        "| mert | 21.00 (1.41) | 21.00 |",
        "| pro |  | **21.50** |",
    ]


def test_latex_is_escaped() -> None:
    assert list(tables.latex(TABLE)) == [
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r" & ar old\_1 & avg \\",
        r"\midrule",
        r"mert & 21.00 (1.41) & 21.00 \\",
        r"pro &  & \textbf{21.50} \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_a_column_that_has_no_best_has_none_in_bold() -> None:
    plain = replace(TABLE, figure={**TABLE.figure, "plain": ["avg"]})
    assert plain.best("avg") == []
    assert TABLE.best("avg") == ["pro"]
    assert TABLE.best("ar old_1") == []  # a single number


def test_equal_ones_are_all_in_bold() -> None:
    rows = {"a": {"x": [44.9]}, "b": {"x": [44.6]}, "c": {"x": [44.9]}}
    _, _, *lines = tables.markdown(tables.Table("", ["x"], rows, digits={"x": 1}))
    assert lines == ["| a | **44.9** |", "| b | 44.6 |", "| c | **44.9** |"]


def test_numbers_of_texts() -> None:
    table = tables.Table(
        "", ["x"], {"a": {"x": "36.8 (0.1)"}, "b": {"x": "tau"}, "c": {"x": [2.0, 4.0]}}
    )
    assert [table.number(row, "x") for row in "abcd"] == [36.8, None, 3.0, None]
    assert [table.spread(row, "x") for row in "abcd"] == [0.1, None, pytest.approx(2**0.5), None]


def test_how_far_it_came() -> None:
    table = replace(TABLE, unfinished={"es/pro": "7 iterations"}, runs=3)
    assert table.reach() == "2 of 3 runs (es/pro: 7 iterations)"
    assert TABLE.reach() == ""


def test_files(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    tables.write(TABLE, str(tmp_path / "t"))
    found = json.loads((tmp_path / "t.json").read_text())
    assert found["values"]["mert"]["ar old_1"] == [20.0, 22.0]
    assert found["signatures"] == {"mert": {"ar": "x"}}
    assert (tmp_path / "t.md").read_text().startswith("BLEU & more\n\n|  | ar old_1 |")
    assert (tmp_path / "t.tex").read_text().endswith("\\end{tabular}\n")
    assert tables.read(tmp_path / "t.json") == replace(TABLE, columns=list(TABLE.columns))
    first = (tmp_path / "t.svg").read_bytes()
    tables.write(TABLE, str(tmp_path / "t"))
    assert (tmp_path / "t.svg").read_bytes() == first
