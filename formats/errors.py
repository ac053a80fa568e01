"""Errors in the user's data: one line that names the file, the place, and what is wrong.

Commands turn it into `command: file: place: problem` on stderr and exit status 1.
"""

from __future__ import annotations

SHOWN = 60  # characters of the user's text that a message shows


class DataError(Exception):
    """Bad input: `where` (a file or stream), `place` (a record or line), and the problem.

    `problem` says what was expected and what was found, in a few words on one line.
    """

    def __init__(self, where: str, place: str | None, problem: str) -> None:
        super().__init__(where, place, problem)
        self.where = where
        self.place = place
        self.problem = problem

    def __str__(self) -> str:
        # names and texts from the data may have line ends, and a message is one line
        parts = [self.where, self.place, self.problem]
        return ": ".join(" ".join(part.split()) for part in parts if part)


def unreadable(where: str, error: Exception, place: str | None = None) -> DataError:
    """Return the DataError for an OSError, or what a decompressor raises, while reading `where`."""
    return DataError(where, place, f"cannot be read: {reason(error)}")


def reason(error: Exception) -> str:
    """Return what the system says of an error, without its number and the file's name."""
    return getattr(error, "strerror", None) or str(error)


def quoted(text: str | bytes) -> str:
    """Return a text of the user's as a message shows it: in quotes, at most SHOWN characters."""
    if isinstance(text, bytes):
        text = text.decode(errors="replace")
    return repr(text[:SHOWN])


def repeated(kind: str, name: str) -> str:
    """Return the problem of a name that a place, which the error names, has twice."""
    return f"{kind} {name!r} stands here for the second time"


class LineError(ValueError):
    """A line that its format does not allow; the caller adds the file and the line's number."""


class ListError(ValueError):
    """A list that its format does not allow; the caller adds the file and the sentence."""
