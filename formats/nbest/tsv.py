r"""Columns with tabs between, and their names in the first line.

    id \t text \t score \t lm \t length

The columns `id` (or sid) and `text` are required, `score` is optional; every other column is a
feature.  A score that is the only number is also the feature F0, as in csv_table.py.  An empty cell
is an error: a missing log probability must not become 0, the best possible.  Cells may be quoted as
in CSV (quotes.py).
"""

from __future__ import annotations

from collections.abc import Iterable

from campanula.formats.errors import LineError, quoted
from campanula.formats.nbest.documents import SCORE_FEATURE
from campanula.formats.nbest.quotes import Quotes, cells, unquoted
from campanula.formats.nbest.reading import LineReader
from campanula.formats.nbest.rows import Row
from campanula.formats.nbest.sentence_ids import sentence_id_of
from campanula.formats.text.numbers import number


def reader() -> TsvReader:
    """Return a reader of lists."""
    return TsvReader()


class TsvReader(LineReader):
    """Reads the names of the columns, then one hypothesis per line.

    The hypotheses are kept until the end: only then it is known whether quotes belong to texts.
    """

    def __init__(self) -> None:
        self._columns: list[str] = []
        self._in_quotes = False  # whether names or numbers are quoted, which shows that texts are
        self._quotes = Quotes()
        self._rows: list[Row] = []

    def read(self, line: str) -> Iterable[Row]:
        """Keep the hypothesis of a line; raises LineError."""
        row_cells = cells(line, len(self._columns))
        if not self._columns:
            self._columns = _header([self._plain(cell) for cell in row_cells])
            return ()
        if len(row_cells) != len(self._columns):
            problem = f"found {len(row_cells)}: {quoted(line)}"
            raise LineError(f"expected {len(self._columns)} columns, {problem}")
        row = dict(zip(self._columns, row_cells, strict=True))
        text = row.pop("text").strip(" ")
        self._quotes.see(text)
        sid = sentence_id_of(self._plain(row.pop("id")))
        values = {name: self._number(name, cell) for name, cell in row.items()}
        score = values.pop("score", None)
        if score is not None and not values:
            values[SCORE_FEATURE] = score
        self._rows.append(Row(sid, text, values, score))
        return ()

    def finish(self) -> Iterable[Row]:
        """Return all hypotheses; raises LineError when it is not clear whether texts are quoted."""
        if self._quotes.are_of_csv(self._in_quotes):
            for row in self._rows:
                row.text = unquoted(row.text)
        return self._rows

    def _number(self, name: str, cell: str) -> float:
        what = "score" if name == "score" else f"feature {name!r}"
        plain = self._plain(cell)
        if not plain:
            raise LineError(f"{what}: expected a number, found an empty cell")
        return number(plain, what)

    def _plain(self, cell: str) -> str:
        """Return a cell that is not text without quotes."""
        bare = unquoted(cell.strip(" "))
        self._in_quotes = self._in_quotes or bare != cell.strip(" ")
        return bare.strip(" ")


def _header(names: list[str]) -> list[str]:
    columns = ["id" if name == "sid" else name for name in names]
    for name in columns:
        if not name or columns.count(name) > 1:
            raise LineError(f"expected columns with names of their own, found {name!r}")
    for name in ("id", "text"):
        if name not in columns:
            raise LineError(f"expected a column {name!r}, found {quoted(', '.join(columns))}")
    return columns
