"""Checks that all hypotheses of a list have the same numbers beside their features.

If one hypothesis lacked a score, it would have to be invented, or the other scores dropped.
"""

from __future__ import annotations

from typing import NamedTuple

from campanula.formats.errors import LineError
from campanula.formats.nbest.rows import Row


class NumbersPresent(NamedTuple):
    """Whether a hypothesis has a score and a gain; number of its statistics, None without any."""

    score: bool
    gain: bool
    stats: int | None


class SameNumbers:
    """Checks rows one after another against the first."""

    def __init__(self) -> None:
        self._first: NumbersPresent | None = None

    def checked(self, row: Row) -> Row:
        """Return the row; raises LineError unless it has the same numbers as the rows before."""
        width = None if row.stats is None else len(row.stats)
        present = NumbersPresent(row.score is not None, row.gain is not None, width)
        if self._first is None:
            self._first = present
        if present != self._first:
            raise LineError(_difference(present, self._first))
        return row


def _difference(present: NumbersPresent, first: NumbersPresent) -> str:
    """Return the message about the first difference between a row and the rows before."""
    for name, here, before in (
        ("score", present.score, first.score),
        ("gain", present.gain, first.gain),
    ):
        if here != before:
            wanted, there = (f"a {name}", "none") if before else (f"no {name}", "one")
            return f"expected {wanted}, as before, found {there}"
    count = first.stats or "no"
    return f"expected {count} statistics, as before, found {present.stats or 'no'}"
