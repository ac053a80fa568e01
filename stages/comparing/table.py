"""A table that every format prints: columns with a heading and a key, and rows of cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

Value: TypeAlias = str | float | None
"""What a cell holds: text, a number in full precision, or nothing."""


class TableColumn(NamedTuple):
    """A heading to read, a key for programs; `text` columns hold words and the others numbers.

    A wide column has running text, such as a sentence.  One without a heading is for programs.
    """

    heading: str
    key: str
    text: bool = False
    wide: bool = False


class Cell(NamedTuple):
    """A value, and how it is shown."""

    value: Value = None
    shown: str = ""


@dataclass(frozen=True, slots=True)
class MetricTable:
    """A table of one kind of rows for a metric; a remark stands in its title, notes below it."""

    kind: str
    metric: str
    signature: str
    columns: Sequence[TableColumn]
    rows: Sequence[Sequence[Cell]]
    remark: str = ""
    notes: Sequence[str] = ()

    @property
    def title(self) -> str:
        """The signature, with the remark."""
        return f"{self.signature} ({self.remark})" if self.remark else self.signature

    def shown(self) -> tuple[list[TableColumn], list[list[str]]]:
        """Return the columns that are not empty and have a heading, and the rows as shown."""
        places = [
            place
            for place, column in enumerate(self.columns)
            if column.heading and (column.text or any(row[place].shown for row in self.rows))
        ]
        columns = [self.columns[place] for place in places]
        return columns, [[row[place].shown for place in places] for row in self.rows]


EMPTY = Cell()


def words(text: str) -> Cell:
    """Return a cell of text, in one line."""
    return Cell(text, " ".join(text.splitlines()))


def number(value: float | None, shown: str) -> Cell:
    """Return a cell of a number as the format `shown` shows it (`+.2f`); empty for None."""
    return EMPTY if value is None else Cell(value, format(value, shown))


def probability(p: float) -> Cell:
    """Return a cell of a p-value: four decimals, or one digit with an exponent, but never 0."""
    # below this the four decimals would be 0.0000
    return Cell(p, f"{p:.4f}" if p >= 0.00005 else f"{p:.0e}")
