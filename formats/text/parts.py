"""A text in parts: a folder of text files that are read one after another, by name, as one text.

    train.de/part.0000.gz  train.de/part.0001.gz  ...

Line numbers go on from file to file.  Names must have the same order as text and with their numbers
compared as numbers: part.10 beside part.9 is refused.  Hidden files are ignored.
"""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterator

from campanula.formats.collections.manifest import MANIFEST
from campanula.formats.errors import DataError, unreadable
from campanula.formats.files import display_name, read_lines
from campanula.formats.text.keyed import is_json_lines
from campanula.formats.text.line_blocks import read_line_blocks

PLAIN = ("json", "weights")  # kinds of files that lines of text may look like
EXPECTED = "lines of text"
DIGITS = re.compile(r"([0-9]+)")


class TextLines:
    """Lines of a text file, of stdin (`-`), or of a folder of files: `for line in TextLines(path)`.

    first (n_files,): number of the first line of each file that has been read, from 0; count: lines
    read so far.  Raises DataError for a folder that is no text in parts, and for an empty file in
    it.
    """

    def __init__(self, path: str) -> None:
        self.name = display_name(path)
        self.in_parts = path != "-" and os.path.isdir(path)
        self.files = _files(path) if self.in_parts else [path]
        self.first: list[int] = []
        self.count = 0

    @property
    def total(self) -> int | None:
        """Number of lines, for a progress bar; None for stdin or a pipe, which can be read once."""
        if not all(os.path.isfile(file) for file in self.files):
            return None
        return sum(1 for file in self.files for _ in read_lines(file))

    def __iter__(self) -> Iterator[str]:
        for file, fits in self._opened():
            for line in read_lines(file, EXPECTED, fits):
                self.count += 1
                yield line

    def blocks(self) -> Iterator[bytes]:
        """Yield the same lines many at a time, as read_line_blocks does."""
        for file, fits in self._opened():
            for block in read_line_blocks(file, EXPECTED, fits):
                self.count += block.count(b"\n")
                yield block

    def _opened(self) -> Iterator[tuple[str, Container[str]]]:
        """Yield each file and the kinds it may look like; read it before the next is asked for."""
        self.first.clear()
        self.count = 0
        for file in self.files:
            start = self.count
            self.first.append(start)
            yield file, (*PLAIN, "json-texts") if is_json_lines(file) else PLAIN
            if self.in_parts and self.count == start:
                raise DataError(file, None, "expected lines of text, found none")


def refuse_other_parts(text: TextLines, other: TextLines) -> None:
    """Raise DataError unless two texts that were read are divided at the same lines.

    A text in one file fits any other.
    """
    if not text.in_parts or not other.in_parts or text.first == other.first:
        return
    if len(text.files) != len(other.files):
        problem = f"expected {len(other.files)} files, as {other.name} has, found {len(text.files)}"
        raise DataError(text.name, None, problem)
    pairs = enumerate(zip(text.first, other.first, strict=True))
    number = next(number for number, (one, another) in pairs if one != another)
    expected = f"expected line {other.first[number] + 1} first, as in {other.files[number]}"
    raise DataError(text.files[number], None, f"{expected}, found line {text.first[number] + 1}")


def _files(folder: str) -> list[str]:
    """Return the paths of a folder's files in the order of their names; raises DataError."""
    try:
        names = sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except OSError as error:
        raise unreadable(folder, error) from error
    if not names or MANIFEST in names:
        found = "a collection of lists" if names else "an empty folder"
        raise DataError(folder, None, f"expected files of text, found {found}")
    in_order = sorted(names, key=_numbered)
    for name, other in zip(names, in_order, strict=True):
        if name != other:
            problem = "expected names that sort by letters as by numbers (part.02 before part.10)"
            raise DataError(folder, None, f"{problem}, found {name} before {other}")
    paths = [os.path.join(folder, name) for name in names]
    for path in paths:
        if not os.path.isfile(path):
            raise DataError(path, None, "expected a file of text, found a folder, pipe or device")
    return paths


def _numbered(name: str) -> list[tuple[int, str]]:
    """Return a sort key that compares numbers in names as numbers."""
    pieces = enumerate(DIGITS.split(name))
    # a split with a group has the matches, which are digits, at odd places
    return [(int(piece), "") if place % 2 else (-1, piece) for place, piece in pieces]
