r"""Lines of a file of bytes, of a length that memory can hold.

A line ends at `\n`.  A few bytes of a compressed file can be a line of any length, so the file is
read in pieces, and a line beyond the limit ends it before more is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from campanula.formats.errors import DataError, LineError

LONGEST_LINE = 1 << 25  # bytes; the longest lines there are, of JSON, have some ten thousand
PIECE = 1 << 18


def raw_lines(file: BinaryIO, longest: int = LONGEST_LINE) -> Iterator[bytes]:
    r"""Yield the lines without their `\n`; raises LineError for one beyond `longest` bytes."""
    for lines in line_batches(file, longest):
        yield from lines


def line_batches(file: BinaryIO, longest: int = LONGEST_LINE) -> Iterator[list[bytes]]:
    """Yield the lines that have come together, at least one."""
    read = getattr(file, "read1", file.read)  # what a pipe has now, not only what fills a piece
    rest: list[bytes] = []  # of the line that the last piece cut
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
    r"""Yield the lines that have come together as they stand; the last one ends at a `\n`, too."""
    read = getattr(file, "read1", file.read)
    rest: list[bytes] = []
    size = 0
    while piece := read(PIECE):
        first, last = piece.find(b"\n"), piece.rfind(b"\n")
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
    """Yield lines of UTF-8, without carriage returns at their ends.

    Raises UnicodeDecodeError in the place of the first line at fault.
    """
    try:
        text = b"\n".join(lines).decode("utf-8")
    except UnicodeDecodeError:
        yield from (line.removesuffix(b"\r").decode("utf-8") for line in lines)
        return
    if "\r" in text:
        yield from (line.removesuffix("\r") for line in text.split("\n"))
    else:
        yield from text.split("\n")


def too_long(longest: int = LONGEST_LINE) -> LineError:
    """The error of a line beyond the limit."""
    return LineError(f"expected a line of at most {longest >> 20} MiB, found a longer one")


def line_fault(name: str, number: int, error: Exception) -> DataError:
    """What is to be raised for a line that cannot be read."""
    if isinstance(error, UnicodeDecodeError):
        problem = utf8_problem(error)
    elif isinstance(error, LineError):
        problem = str(error)
    else:
        problem = f"cannot be read: {getattr(error, 'strerror', None) or error}"
    return DataError(name, f"line {number}", problem)


def utf8_problem(error: UnicodeDecodeError) -> str:
    """What a message says of a line that is not UTF-8."""
    found = error.object[error.start]
    return f"expected UTF-8, found byte 0x{found:02x} at column {error.start + 1}"
