"""Tables as text, Markdown, LaTeX and CSV.

Text, Markdown and LaTeX show rounded numbers, table by table.  CSV is one table for all, in full
precision; its first columns say which table and which metric a row belongs to.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence

from campanula.stages.comparing.table import MetricTable, TableColumn

BEFORE = "  "  # between two columns of text


def as_text(tables: Sequence[MetricTable]) -> Iterator[str]:
    """Yield lines of tables for a terminal: columns are as wide as their widest cell."""
    for place, table in enumerate(tables):
        if place:
            yield ""
        yield table.title
        columns, rows = table.shown()
        lines = [[column.heading for column in columns], *rows]
        widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
        for cells in lines:
            padded = map(_padded, cells, widths, columns)
            yield BEFORE.join(padded).rstrip()
        yield from table.notes


def _padded(cell: str, width: int, column: TableColumn) -> str:
    return cell.ljust(width) if column.text else cell.rjust(width)


MARKS = re.compile(r"([\\`*_{}\[\]<>#|~&])")
"""Characters that Markdown would interpret."""


def as_markdown(tables: Sequence[MetricTable]) -> Iterator[str]:
    """Yield lines of tables in Markdown (pipe tables), their signatures as code."""
    for place, table in enumerate(tables):
        if place:
            yield ""
        yield f"`{table.title}`"
        yield ""
        columns, rows = table.shown()
        yield _piped(column.heading for column in columns)
        yield _piped("---" if column.text else "---:" for column in columns)
        for row in rows:
            yield _piped(MARKS.sub(r"\\\1", cell) for cell in row)
        for note in table.notes:
            yield ""
            yield MARKS.sub(r"\\\1", note)


def _piped(cells: Iterator[str]) -> str:
    return f"| {' | '.join(cells)} |"


LATEX = {
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    **{mark: f"{{{mark}}}" for mark in "[]*-`'\""},  # no option of \\, no ligature
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
"""Characters that LaTeX would interpret, and the commands that print them."""


def latex_text(text: str) -> str:
    """Return LaTeX that prints a text as it is."""
    return "".join(LATEX.get(character, character) for character in text)


def as_latex(tables: Sequence[MetricTable]) -> Iterator[str]:
    r"""Yield lines of LaTeX's tabulars, which need \\usepackage{booktabs}."""
    yield r"% \usepackage{booktabs}"
    for table in tables:
        columns, rows = table.shown()
        yield ""
        yield f"% {table.title}"
        yield rf"\begin{{tabular}}{{{''.join(map(_alignment, columns))}}}"
        yield r"\toprule"
        yield _ended(latex_text(column.heading) for column in columns)
        yield r"\midrule"
        for row in rows:
            yield _ended(map(_latex_cell, row, columns))
        yield r"\bottomrule"
        yield r"\end{tabular}"
        yield from (f"% {note}" for note in table.notes)


def _alignment(column: TableColumn) -> str:
    if column.wide:
        return r"p{0.5\linewidth}"
    return "l" if column.text else "r"


def _latex_cell(cell: str, column: TableColumn) -> str:
    """Return a cell in LaTeX: a text as it is, a number with a minus sign instead of a hyphen."""
    return latex_text(cell) if column.text else cell.replace("-", "$-$").replace("%", r"\%")


def _ended(cells: Iterator[str]) -> str:
    return " & ".join(cells) + r" \\"


def as_csv(tables: Sequence[MetricTable]) -> Iterator[str]:
    """Yield lines of one CSV table (RFC 4180) with a header, in full precision."""
    keys = list(dict.fromkeys(column.key for table in tables for column in table.columns))
    yield _csv_line(["table", "metric", "signature", *keys])
    for table in tables:
        for row in table.rows:
            values = {
                column.key: cell.value for column, cell in zip(table.columns, row, strict=True)
            }
            start = [table.kind, table.metric, table.signature]
            yield _csv_line([*start, *(values.get(key) for key in keys)])


def _csv_line(values: Sequence[object]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(values)
    return line.getvalue()


TABLE_FORMATS: dict[str, Callable[[Sequence[MetricTable]], Iterator[str]]] = {
    "text": as_text,
    "markdown": as_markdown,
    "latex": as_latex,
    "csv": as_csv,
}
"""The formats of tables by name."""
