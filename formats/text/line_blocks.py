"""Text in blocks of many lines, as bytes: for readers that need not handle each line alone."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Container, Iterator

from campanula.formats.errors import LineError
from campanula.formats.files import display_name, open_expecting
from campanula.formats.foreign.texts import ANY
from campanula.formats.lines import decoded, line_blocks, line_fault


def read_line_blocks(
    path: str, expected: str = "text", fits: Container[str] = ANY
) -> Iterator[bytes]:
    r"""Yield the lines of a UTF-8 text file, many at a time, each with a `\n` at its end.

    A byte order mark is dropped; carriage returns stay.  Raises DataError as read_lines does.
    """
    name = display_name(path)
    number = 0
    with open_expecting(path, expected, fits) as file:
        try:
            for block in line_blocks(file):
                if number == 0:
                    block = block.removeprefix(BOM_UTF8)
                if not block.isascii():  # checks that it is UTF-8; `number` then is the faulty line
                    for _ in decoded(block.split(b"\n")[:-1]):
                        number += 1
                    number -= block.count(b"\n")
                yield block
                number += block.count(b"\n")
        except (UnicodeDecodeError, LineError, EOFError, OSError) as error:
            raise line_fault(name, number + 1, error) from error
