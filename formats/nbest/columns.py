"""Checks that all hypotheses of a list have the same numbers beside their features.

If one hypothesis lacked a score, it would have to be invented, or the other scores dropped.
"""

from __future__ import annotations

from typing import NamedTuple

from campanula.formats.errors import LineError
from campanula.formats.nbest.rows import Row


class Given(NamedTuple):
    """Whether a hypothesis has a score and a gain; number of its statistics, None without any."""

    score: bool
    gain: bool
    stats: int | None


class Columns:
    """The numbers of the hypotheses so far."""

    def __init__(self) -> None:
        self._known: Given | None = None

    def checked(self, row: Row) -> Row:
        """Return the row; raises LineError unless it has the same numbers as the rows before."""
        width = None if row.stats is None else len(row.stats)
        found = Given(row.score is not None, row.gain is not None, width)
        if self._known is None:
            self._known = found
        if found != self._known:
            raise LineError(_difference(found, self._known))
        return row


def _difference(found: Given, known: Given) -> str:
    """Return the message about the first difference between a row and the rows before."""
    for name, here, before in (
        ("score", found.score, known.score),
        ("gain", found.gain, known.gain),
    ):
        if here != before:
            wanted, there = (f"a {name}", "none") if before else (f"no {name}", "one")
            return f"expected {wanted}, as before, found {there}"
    wanted, there = (str(given.stats or "no") for given in (known, found))
    return f"expected {wanted} statistics, as before, found {there}"
