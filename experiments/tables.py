"""Tables of experiments: values by row and column, as Markdown, LaTeX, JSON, and a figure.

A cell has a value for each replicate, and shows their mean and, of several, the standard deviation
(n - 1); or it is a text.  The JSON of a table has also its command, unfinished runs, time and size,
and how its figure is drawn: `read` returns an equal table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, stdev
from typing import Any

Cell = Sequence[float] | str
Row = Mapping[str, Cell]


@dataclass(frozen=True)
class Table:
    """Values by row and column.

    signatures    how a row's weights were made, and metrics were computed
    figure        how it is drawn (charts.py)
    digits        behind the point, of columns that have others than two
    made          how: command, sentences, seconds, megabytes
    unfinished    runs that have not come to their end, and how far they are
    runs          how many there are in all
    """

    title: str
    columns: Sequence[str]
    rows: Mapping[str, Row]
    signatures: Mapping[str, Any] = field(default_factory=dict)
    figure: Mapping[str, Any] = field(default_factory=dict)
    digits: Mapping[str, int] = field(default_factory=dict)
    made: Mapping[str, Any] = field(default_factory=dict)
    unfinished: Mapping[str, str] = field(default_factory=dict)
    runs: int = 0

    def cells(self, row: str) -> list[str]:
        """Texts of a row's cells; empty where there is no value."""
        return [
            shown(self.rows[row].get(column, ()), self.digits.get(column, 2))
            for column in self.columns
        ]

    def mean(self, row: str, column: str) -> float | None:
        """Mean of a cell, None where there is no number."""
        cell = self.rows.get(row, {}).get(column, ())
        return mean(cell) if cell and not isinstance(cell, str) else None

    def number(self, row: str, column: str) -> float | None:
        """Mean of a cell, or the number that its text begins with; None where there is neither."""
        cell = self.rows.get(row, {}).get(column, ())
        if not isinstance(cell, str):
            return self.mean(row, column)
        # the papers' cells are texts, `24.5 (0.1)`: their replicates are not known
        found = re.match(r"-?\d+(\.\d+)?", cell)
        return float(found[0]) if found else None

    def spread(self, row: str, column: str) -> float | None:
        """Standard deviation of a cell, or of its text the number in brackets; else None."""
        cell = self.rows.get(row, {}).get(column, ())
        if not isinstance(cell, str):
            return stdev(cell) if len(cell) > 1 else None
        found = re.search(r"\((\d+\.\d+)\)", cell)
        return float(found[1]) if found else None

    def best(self, column: str) -> list[str]:
        """The rows with the highest mean; several where they are equal.

        Empty for a column of one number, or one that `figure["plain"]` names.
        """
        means = {row: value for row in self.rows if (value := self.mean(row, column)) is not None}
        if column in self.figure.get("plain", ()) or len(means) < 2:
            return []
        # not rounded: of two cells that look alike, the one that is higher is bold
        highest = max(means.values())
        return [row for row, value in means.items() if value == highest]

    def reach(self) -> str:
        """Progress: `5 of 8 runs (swap-all: 7 iterations)`; empty if all runs are finished."""
        if not self.unfinished:
            return ""
        rest = ", ".join(f"{name}: {progress}" for name, progress in self.unfinished.items())
        return f"{self.runs - len(self.unfinished)} of {self.runs} runs ({rest})"


def shown(cell: Cell, digits: int = 2) -> str:
    """Mean and deviation: 36.71 (0.12)."""
    if isinstance(cell, str):
        return cell
    if not cell:
        return ""
    spread = f" ({stdev(cell):.{digits}f})" if len(cell) > 1 else ""
    return f"{mean(cell):,.{digits}f}{spread}"


def markdown(table: Table) -> Iterator[str]:
    """Lines of a Markdown table; the best of a column is bold."""
    yield f"| {' | '.join(['', *table.columns])} |"
    yield "|---" * (len(table.columns) + 1) + "|"
    for row in table.rows:
        pairs = zip(table.columns, table.cells(row), strict=True)
        cells = [f"**{cell}**" if cell and row in table.best(c) else cell for c, cell in pairs]
        yield f"| {' | '.join([row, *cells])} |"


def latex(table: Table) -> Iterator[str]:
    """Lines of a LaTeX table, with booktabs."""
    yield rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}"
    yield r"\toprule"
    yield " & ".join(["", *map(escaped, table.columns)]) + r" \\"
    yield r"\midrule"
    for row in table.rows:
        pairs = zip(table.columns, map(escaped, table.cells(row)), strict=True)
        cells = [rf"\textbf{{{c}}}" if c and row in table.best(name) else c for name, c in pairs]
        yield " & ".join([escaped(row), *cells]) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"


def escaped(text: str) -> str:
    """Text with LaTeX's special characters escaped."""
    return "".join(f"\\{c}" if c in "&%$#_{}" else c for c in text)


def as_json(table: Table) -> dict[str, Any]:
    """The whole table as an object for JSON."""
    return {
        "title": table.title,
        "made": table.made,
        "runs": table.runs,
        "unfinished": table.unfinished,
        "columns": list(table.columns),
        "digits": table.digits,
        "figure": table.figure,
        "values": {
            row: {c: v if isinstance(v, str) else list(v) for c, v in cells.items()}
            for row, cells in table.rows.items()
        },
        "signatures": table.signatures,
    }


def read(path: Path) -> Table:
    """The table of a file of JSON."""
    content = json.loads(path.read_text(encoding="utf-8"))
    names = ("title", "columns", "signatures", "figure", "digits", "made", "unfinished", "runs")
    return Table(
        rows=content["values"], **{name: content[name] for name in names if name in content}
    )


def write(table: Table, path: str) -> None:
    """Write PATH.md, PATH.tex, PATH.json, and PATH.svg where there is a figure to draw."""
    # here, since charts imports this module
    from experiments import charts

    reach = [f"\n{table.reach()}."] if table.unfinished else []
    texts = {
        "md": "\n".join([f"{table.title}\n", *markdown(table), *reach]),
        "tex": "\n".join(latex(table)),
        "json": json.dumps(as_json(table), indent=1, ensure_ascii=False),
    }
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    charts.draw(table, f"{path}.svg")
    for suffix, text in texts.items():
        Path(f"{path}.{suffix}").write_text(f"{text}\n", encoding="utf-8")
