r"""Columns apart by tabs, with their names in the first line.

    id \t text \t score \t lm \t length

`id` (or sid) and `text` must be there, `score` may be; every other column is a feature.  An empty
cell of a feature says that the hypothesis does not have it.
"""

from __future__ import annotations

from collections.abc import Iterable

from campanula.formats.errors import LineError
from campanula.formats.nbest.reading import LineReader
from campanula.formats.nbest.rows import Row
from campanula.formats.text.numbers import number, sentence_id


def reader() -> TsvReader:
    """A reader of one list."""
    return TsvReader()


class TsvReader(LineReader):
    """Reads the names of the columns, then a hypothesis a line."""

    def __init__(self) -> None:
        self._columns: list[str] = []

    def read(self, line: str) -> Iterable[Row]:
        """The hypothesis of a line; raises LineError."""
        cells = line.split("\t")
        if not self._columns:
            self._columns = _header([cell.strip(" ") for cell in cells])
            return ()
        if len(cells) != len(self._columns):
            found = f"found {len(cells)}: {line[:60]!r}"
            raise LineError(f"expected {len(self._columns)} columns, {found}")
        row = dict(zip(self._columns, cells, strict=True))
        sid = sentence_id(row.pop("id").strip(" "))
        text = row.pop("text").strip(" ")
        written = row.pop("score", "").strip(" ")
        score = number(written, "score") if written else None
        features = {
            name: number(cell.strip(" "), f"feature {name!r}")
            for name, cell in row.items()
            if cell.strip(" ")
        }
        return (Row(sid, text, features, score),)


def _header(names: list[str]) -> list[str]:
    columns = ["id" if name == "sid" else name for name in names]
    for name in columns:
        if not name or columns.count(name) > 1:
            raise LineError(f"expected columns with names of their own, found {name!r}")
    for name in ("id", "text"):
        if name not in columns:
            raise LineError(f"expected a column {name!r}, found {', '.join(columns)[:60]!r}")
    return columns
