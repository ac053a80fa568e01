"""Tables of experiments: means and deviations, the best of a column, all three forms."""

from __future__ import annotations

import json
from pathlib import Path

from experiments import tables

TABLE = tables.Table(
    "BLEU & more",
    ["ar old_1", "avg"],
    {"mert": {"ar old_1": [20.0, 22.0], "avg": [21.0]}, "pro": {"avg": [21.5]}},
    {"mert": {"ar": "x"}},
)


def test_markdown_has_means_deviations_and_the_best_in_bold() -> None:
    assert list(tables.markdown(TABLE)) == [
        "|  | ar old_1 | avg |",
        "|---|---|---|",
        "| mert | **21.00 (1.41)** | 21.00 |",
        "| pro |  | **21.50** |",
    ]


def test_latex_is_escaped() -> None:
    assert list(tables.latex(TABLE)) == [
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r" & ar old\_1 & avg \\",
        r"\midrule",
        r"mert & \textbf{21.00 (1.41)} & 21.00 \\",
        r"pro &  & \textbf{21.50} \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_files(tmp_path: Path) -> None:
    tables.write(TABLE, str(tmp_path / "t"))
    found = json.loads((tmp_path / "t.json").read_text())
    assert found["values"]["mert"]["ar old_1"] == [20.0, 22.0]
    assert found["signatures"] == {"mert": {"ar": "x"}}
    assert (tmp_path / "t.md").read_text().startswith("BLEU & more\n\n|  | ar old_1 |")
    assert (tmp_path / "t.tex").read_text().endswith("\\end{tabular}\n")
