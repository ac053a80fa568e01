"""Whether the texts of a table stand in quotes as CSV has them, or have quotes of their own.

In quotes as CSV has them (RFC 4180) those inside are doubled; a text with quotes of its own may
have them anywhere.  One cell does not always show it, so the table is read to its end: it is the
same in all of it.
"""

from __future__ import annotations

import csv
import re

from campanula.formats.errors import LineError

QUOTE = '"'
QUOTED = re.compile(r'"(?:[^"]|"")*"')


def unquoted(cell: str) -> str:
    """A cell without the quotes around it, if there are some."""
    return cell[1:-1].replace(QUOTE * 2, QUOTE) if QUOTED.fullmatch(cell) else cell


def cells(line: str, size: int) -> list[str]:
    """The cells of a line, which are `size` if that can be; a tab in quotes ends none."""
    found = line.split("\t")
    if len(found) == size or QUOTE not in line:
        return found
    try:
        (row,) = csv.reader([line], delimiter="\t", strict=True)
    except (csv.Error, ValueError):
        return found
    return [f'"{cell.replace(QUOTE, QUOTE * 2)}"' for cell in row] if len(row) == size else found


class Quotes:
    """What the texts so far have shown: an example of each."""

    def __init__(self) -> None:
        self._proof = ""  # quoted, with quotes or tabs inside
        self._doubt = ""  # quotes at both ends, none inside
        self._own = ""  # quotes elsewhere
        self._without = ""

    def see(self, text: str) -> None:
        """Take in a text as it is written."""
        if QUOTE not in text:
            self._without = self._without or text
        elif not QUOTED.fullmatch(text):
            self._own = self._own or text
        elif QUOTE in text[1:-1] or "\t" in text:
            self._proof = self._proof or text
        else:
            self._doubt = self._doubt or text

    def are_of_csv(self, header: bool) -> bool:
        """Whether texts are in quotes, given whether the header is; raises LineError in doubt."""
        proof = self._proof or ("" if not header else "the names of the columns")
        if proof and self._own:
            problem = "expected texts in quotes, those inside doubled"
            raise LineError(f"{problem}, as {proof[:40]} shows; found {self._own[:60]}")
        if self._doubt and self._without and not (proof or self._own):
            problem = "expected quotes around all texts or none, or doubled quotes inside"
            raise LineError(f"{problem}; found {self._doubt[:60]} and {self._without[:60]}")
        return bool(proof or (self._doubt and not self._own))
