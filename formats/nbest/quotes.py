"""Decides whether the texts of a table are quoted as in CSV, or have quotes of their own.

In a quoted text (RFC 4180) quotes inside are doubled; a text with quotes of its own may have them
anywhere.  A single cell does not always show which it is, so all texts are read before it is
decided, for the whole table.
"""

from __future__ import annotations

import csv
import re

from campanula.formats.errors import SHOWN, LineError

QUOTE = '"'
QUOTED = re.compile(r'"(?:[^"]|"")*"')


def unquoted(cell: str) -> str:
    """Return a cell without the quotes around it, and doubled quotes inside made single."""
    return cell[1:-1].replace(QUOTE * 2, QUOTE) if QUOTED.fullmatch(cell) else cell


def cells(line: str, size: int) -> list[str]:
    """Split a line into cells; tabs in quotes are kept if that gives `size` cells."""
    pieces = line.split("\t")
    if len(pieces) == size or QUOTE not in line:
        return pieces
    try:
        (row,) = csv.reader([line], delimiter="\t", strict=True)
    except (csv.Error, ValueError):
        return pieces
    # quoted again, since Quotes looks at texts as they are written
    return [f'"{cell.replace(QUOTE, QUOTE * 2)}"' for cell in row] if len(row) == size else pieces


class Quotes:
    """Keeps the first text of each kind: quoted or not, for certain or perhaps."""

    def __init__(self) -> None:
        self._proof = ""  # quoted, with quotes or tabs inside
        self._doubt = ""  # quotes at both ends, none inside
        self._own = ""  # quotes elsewhere
        self._without = ""

    def see(self, text: str) -> None:
        """Note the kind of a text, as it is written in the table."""
        if QUOTE not in text:
            self._without = self._without or text
        elif not QUOTED.fullmatch(text):
            self._own = self._own or text
        elif QUOTE in text[1:-1] or "\t" in text:
            self._proof = self._proof or text
        else:
            self._doubt = self._doubt or text

    def are_of_csv(self, header: bool) -> bool:
        """Whether texts are quoted as in CSV; raises LineError if that is not clear.

        header: whether the names of columns are quoted.
        """
        proof = self._proof or ("" if not header else "the names of the columns")
        if proof and self._own:
            problem = "expected texts in quotes, those inside doubled"
            raise LineError(f"{problem}, as {proof[:SHOWN]} shows; found {self._own[:SHOWN]}")
        if self._doubt and self._without and not (proof or self._own):
            problem = "expected quotes around all texts or none, or doubled quotes inside"
            raise LineError(f"{problem}; found {self._doubt[:SHOWN]} and {self._without[:SHOWN]}")
        return bool(proof or (self._doubt and not self._own))
