"""Parts of a file of n-best lists that can be read each for itself: whole lists, one after another.

A part ends where the first token of a line is not that of the line before.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from campanula.formats.errors import DataError, unreadable
from campanula.formats.files import display_name
from campanula.formats.lines import LONGEST_LINE
from campanula.formats.nbest.blocks import LARGE, Block, block_of

FIRST = 1 << 16  # bytes of the first part, which shows what the lines are like
BUFFER = 1 << 15  # bytes read at a time to find the end of a list


class Part(NamedTuple):
    """Bytes start, ..., end - 1 of a file: whole lines."""

    path: str
    start: int
    end: int


def parts_of(path: str, first: int = FIRST, size: int = LARGE) -> Iterator[Part]:
    """Yield the parts of a file, of so many bytes and what is left of their last list.

    first: bytes of the first part; size: bytes of the others.  Raises DataError for a file that
    cannot be read.
    """
    try:
        with open(path, "rb", buffering=BUFFER) as file:
            end_of_file = os.fstat(file.fileno()).st_size
            start = 0
            while start < end_of_file:
                place = start + (size if start else first)
                file.seek(place)
                # the end of a line of which the token is not known
                end = place + len(file.readline(LONGEST_LINE))
                before = None
                while line := file.readline(LONGEST_LINE):
                    sentence = line.partition(b" ")[0]
                    if before not in (None, sentence):
                        break
                    before = sentence
                    end += len(line)
                end = min(end, end_of_file)
                yield Part(path, start, end)
                start = end
    except OSError as error:
        raise unreadable(display_name(path), error) from error


def read_part(part: Part) -> Block:
    """Return the lines of a part, which are not numbered.

    Raises DataError for lines that are no UTF-8, for a file that cannot be read, and for one that
    has become shorter.
    """
    name = display_name(part.path)
    size = part.end - part.start
    try:
        with open(part.path, "rb", buffering=0) as file:
            data = os.pread(file.fileno(), size, part.start)
    except OSError as error:
        raise unreadable(name, error) from error
    if len(data) != size:
        raise DataError(name, None, f"expected {part.end} bytes, found fewer: it has changed")
    if not data.endswith(b"\n"):
        data += b"\n"
    return block_of(name, 0, data, part.start == 0)
