r"""Lines of a binary file, with a limit to their length.

A line ends at `\n`.  A few bytes of a compressed file can expand to a line of any length, so the
file is read in pieces, and a line beyond the limit is refused before more of it is read.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import BinaryIO

from campanula.formats.errors import DataError, LineError, unreadable

LONGEST_LINE = 1 << 25  # bytes; the longest real lines, of JSON, have some ten thousand
PIECE = 1 << 18  # bytes read at a time
SLICE = 1 << 15  # bytes decoded at a time: a string of that size takes memory that is at hand


def raw_lines(file: BinaryIO, longest: int = LONGEST_LINE) -> Iterator[bytes]:
    r"""Yield the lines without `\n`; raises LineError for a line of more than `longest` bytes."""
    for lines in line_batches(file, longest):
        yield from lines


def line_batches(file: BinaryIO, longest: int = LONGEST_LINE) -> Iterator[list[bytes]]:
    """Yield lists of at least one line: those that end in the same piece of the file."""
    read = getattr(file, "read1", file.read)  # read1 returns what a pipe has, without waiting
    rest: list[bytes] = []  # beginnings of the line that the last pieces cut
    size = 0
    while piece := read(PIECE):
        first, newline, behind = piece.partition(b"\n")
        rest.append(first)
        size += len(first)
        if size > longest:
            raise too_long(longest)
        if newline:
            lines = [b"".join(rest)]
            lines += behind.split(b"\n")
            rest = [lines.pop()]
            size = len(rest[0])
            yield lines
    if size:
        yield [b"".join(rest)]


def line_blocks(file: BinaryIO, longest: int = LONGEST_LINE) -> Iterator[bytes]:
    r"""Yield blocks of whole lines with their `\n`, one that the last line lacks added."""
    read = getattr(file, "read1", file.read)
    rest: list[bytes] = []
    size = 0
    while piece := read(PIECE):
        first = piece.find(b"\n")
        last = piece.rfind(b"\n")
        if size + (first if first >= 0 else len(piece)) > longest:
            raise too_long(longest)
        if first < 0:
            rest.append(piece)
            size += len(piece)
            continue
        yield b"".join([*rest, piece[: last + 1]])
        rest = [piece[last + 1 :]]
        size = len(rest[0])
    if size:
        yield b"".join([*rest, b"\n"])


def decoded(lines: list[bytes]) -> Iterator[str]:
    """Yield lines decoded from UTF-8, without a carriage return at the end.

    Raises UnicodeDecodeError after the lines before the first that is not UTF-8.
    """
    try:
        text = b"\n".join(lines).decode("utf-8")  # decoding all at once is faster
    except UnicodeDecodeError:
        yield from (line.removesuffix(b"\r").decode("utf-8") for line in lines)
        return
    if "\r" in text:
        yield from (line.removesuffix("\r") for line in text.split("\n"))
    else:
        yield from text.split("\n")


def too_long(longest: int = LONGEST_LINE) -> LineError:
    """Return the error of a line of more than `longest` bytes."""
    return LineError(f"expected a line of at most {longest >> 20} MiB, found a longer one")


def line_fault(name: str, number: int, error: Exception) -> DataError:
    """Return the DataError for a line of a file that could not be read."""
    place = f"line {number}"
    if isinstance(error, UnicodeDecodeError):
        return DataError(name, place, utf8_problem(error))
    if isinstance(error, LineError):
        return DataError(name, place, str(error))
    return unreadable(name, error, place)


def check_utf8(data: bytes) -> None:
    """Raise the UnicodeDecodeError of `data.decode("utf-8")`, if there is one.

    Nothing as long as the data is made: each page of such a string costs more than its decoding.
    """
    view = memoryview(data)
    start = 0
    try:
        while start < len(data):
            end = start + SLICE
            # all that is not the last may end within a character, which the next one begins with
            start += codecs.utf_8_decode(view[start:end], "strict", end >= len(data))[1]
    except UnicodeDecodeError:
        data.decode("utf-8")  # its error has the place in all of the data


def utf8_problem(error: UnicodeDecodeError, start: int = 0) -> str:
    """Return the problem text of a line that is not UTF-8; columns count bytes from 1.

    start: where the line begins in the bytes that were decoded.
    """
    byte = error.object[error.start]
    return f"expected UTF-8, found byte 0x{byte:02x} at column {error.start - start + 1}"
