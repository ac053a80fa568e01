"""Tables in every format, read back."""

from __future__ import annotations

import csv
import re

import pytest

from campanula.stages.comparing.table import EMPTY, MetricTable, TableColumn, number, words
from campanula.stages.comparing.table_formats import LATEX, TABLE_FORMATS, latex_text

NAMES = ["plain", "a_b & 50%", '[x] #1 | "q", y', "-{\\~^<>}$--'`*", "ü \u0413"]
COLUMNS = (
    TableColumn("system", "name", text=True),
    TableColumn("diff %", "diff"),
    TableColumn("sd", "sd"),
)
VALUES = [1.0, -2.345678, 0.0, 1e-9, None]
ROWS = [
    [words(name), number(value, "+.2f"), EMPTY] for name, value in zip(NAMES, VALUES, strict=True)
]
TABLE = MetricTable("systems", "BLEU", "BLEU|a:1", COLUMNS, ROWS, "lower is better", ["a note_"])
OTHER = MetricTable("pairs", "TER", "TER|b", (TableColumn("diff", "diff"),), [[number(3.0, ".1f")]])
SHOWN = ["+1.00", "-2.35", "+0.00", "+0.00", ""]


def lines(name: str) -> list[str]:
    return list(TABLE_FORMATS[name]([TABLE, OTHER]))


def test_text_has_columns_as_wide_as_their_cells() -> None:
    found = lines("text")
    assert found[0] == "BLEU|a:1 (lower is better)"
    width = max(map(len, NAMES))
    assert found[1] == f"{'system'.ljust(width)}  diff %"
    rows = [(line[:width].rstrip(), line[width + 2 :].strip()) for line in found[2:7]]
    assert rows == list(zip(NAMES, SHOWN, strict=True))
    assert found[7:] == ["a note_", "", "TER|b", "diff", " 3.0"]


def test_csv_is_one_table_in_full_precision() -> None:
    rows = list(csv.DictReader(lines("csv")))
    assert [row["name"] for row in rows] == [*NAMES, ""]
    values = [float(row["diff"]) if row["diff"] else None for row in rows]
    assert values == [*VALUES, 3.0]
    assert {row["table"] for row in rows} == {"systems", "pairs"}
    assert rows[0]["signature"] == "BLEU|a:1"
    assert rows[-1]["metric"] == "TER"


def test_markdown_is_a_pipe_table() -> None:
    found = lines("markdown")
    assert found[0] == "`BLEU|a:1 (lower is better)`"
    table = [line for line in found if line.startswith("|")][:7]
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in table]
    assert {len(row) for row in rows} == {2}
    assert [cell.strip() for cell in rows[1]] == ["---", "---:"]
    names = [re.sub(r"\\(.)", r"\1", row[0].strip()) for row in rows[2:]]
    assert names == NAMES
    assert [row[1].strip() for row in rows[2:]] == SHOWN
    assert "a note\\_" in found


def printed(latex: str) -> str:
    """What LaTeX prints of a cell."""
    for character, command in sorted(LATEX.items(), key=lambda item: -len(item[1])):
        if len(command) > 3:
            latex = latex.replace(command, f"\0{ord(character)}\0")
    latex = re.sub(r"\{(.)\}", r"\1", re.sub(r"\\([&%$#_{}])", lambda m: f"\0{ord(m[1])}\0", latex))
    return re.sub("\0(\\d+)\0", lambda m: chr(int(m[1])), latex)


def test_latex_is_a_tabular_with_rules() -> None:
    found = lines("latex")
    assert found[0] == r"% \usepackage{booktabs}"
    assert found.count(r"\toprule") == found.count(r"\midrule") == found.count(r"\bottomrule") == 2
    start = found.index(r"\begin{tabular}{lr}")
    assert found[start + 2] == r"system & diff \% \\"
    rows = found[start + 4 : start + 9]
    assert all(row.endswith(r" \\") for row in rows)
    cells = [re.split(r"(?<!\\) & ", row.removesuffix(r" \\")) for row in rows]
    assert [printed(name) for name, _ in cells] == NAMES
    assert [value.replace("$-$", "-") for _, value in cells] == SHOWN
    remarks = [line for line in found if "BLEU|" in line or "a note" in line]
    assert [line[:2] for line in remarks] == ["% ", "% "]


@pytest.mark.parametrize("mark", list("&%$#_{}[]*-`'\"\\~^<>|"))
def test_no_mark_means_anything_to_latex(mark: str) -> None:
    text = latex_text(mark)
    assert text != mark
    assert printed(text) == mark
