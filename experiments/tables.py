"""Tables of experiments: values by method and column, as Markdown, LaTeX and JSON.

A cell has a value a replicate; it is shown as their mean, and the standard deviation (n - 1) where
there are several.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, stdev

Values = Sequence[float]


@dataclass(frozen=True)
class Table:
    """Values by row and column; signatures say how a row's weights were made, by row and column."""

    title: str
    columns: Sequence[str]
    rows: Mapping[str, Mapping[str, Values]]
    signatures: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def cells(self, row: str) -> list[str]:
        """What a row shows, nothing where there is no value."""
        return [shown(self.rows[row].get(column, ())) for column in self.columns]

    def best(self, column: str) -> str | None:
        """The row of the highest mean, of equal ones the first."""
        means = {row: mean(found[column]) for row, found in self.rows.items() if found.get(column)}
        return max(means, key=lambda row: means[row]) if means else None


def shown(values: Values) -> str:
    """Mean and deviation: 36.71 (0.12)."""
    if not values:
        return ""
    spread = f" ({stdev(values):.2f})" if len(values) > 1 else ""
    return f"{mean(values):.2f}{spread}"


def markdown(table: Table) -> Iterator[str]:
    """Lines of a Markdown table; the best of a column is bold."""
    yield f"| {' | '.join(['', *table.columns])} |"
    yield "|---" * (len(table.columns) + 1) + "|"
    for row in table.rows:
        pairs = zip(table.columns, table.cells(row), strict=True)
        cells = [f"**{cell}**" if cell and table.best(c) == row else cell for c, cell in pairs]
        yield f"| {' | '.join([row, *cells])} |"


def latex(table: Table) -> Iterator[str]:
    """Lines of a LaTeX table, with booktabs."""
    yield rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}"
    yield r"\toprule"
    yield " & ".join(["", *map(escaped, table.columns)]) + r" \\"
    yield r"\midrule"
    for row in table.rows:
        pairs = zip(table.columns, table.cells(row), strict=True)
        cells = [rf"\textbf{{{c}}}" if c and table.best(name) == row else c for name, c in pairs]
        yield " & ".join([escaped(row), *cells]) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"


def escaped(text: str) -> str:
    """Text for LaTeX."""
    return "".join(f"\\{c}" if c in "&%$#_{}" else c for c in text)


def write(table: Table, path: str) -> None:
    """Write PATH.md, PATH.tex and PATH.json."""
    content = {
        "title": table.title,
        "columns": list(table.columns),
        "values": {
            row: {c: list(v) for c, v in found.items()} for row, found in table.rows.items()
        },
        "signatures": table.signatures,
    }
    texts = {
        "md": "\n".join([f"{table.title}\n", *markdown(table)]),
        "tex": "\n".join(latex(table)),
        "json": json.dumps(content, indent=1, ensure_ascii=False),
    }
    for suffix, text in texts.items():
        Path(f"{path}.{suffix}").write_text(f"{text}\n", encoding="utf-8")
