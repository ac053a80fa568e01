r"""Read a text file as blocks of whole lines: valid UTF-8, each line ending in \n.

A byte order mark is dropped, `\r\n` becomes `\n`, a last line without its end gets one.  Nothing
else ends a line.  Blocks are small enough for the processor's cache, which doubles the speed of
what NumPy does with them; beyond a few megabytes they are larger, for kernels that read them once,
and `small` cuts them up for others.

A line beyond the longest that there may be comes as a block without an end: JSON may be one line of
any length, which its records cut.  Who reads lines asks `whole_lines` for them.
"""

from __future__ import annotations

import os
import threading
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from campanula.formats.errors import DataError
from campanula.formats.files import display_name, open_input
from campanula.formats.foreign.kinds import HEAD
from campanula.formats.foreign.looking import refuse
from campanula.formats.lines import LONGEST_LINE, too_long

if TYPE_CHECKING:
    from campanula.formats.nbest.fields import Cutter

NEWLINE = 10
SIZE = 1 << 18
LISTS = ("n-best", "json", "json-texts", "weights", "sgml")  # or lines of any text
LARGE = 1 << 20  # of a list that is not short
SHORT = 1 << 23  # bytes that are read in small blocks
AHEAD = 4  # blocks that are got before they are asked for


class Block(NamedTuple):
    """Whole lines of a file; `number` is the first one's, from 1.

    cutter, where there is one, cuts lines of fields faster than what is here.  n_lines is the
    number of lines where they have been counted: in the thread that reads, for those that cut.
    """

    name: str
    number: int
    data: bytes
    cutter: Cutter | None = None
    n_lines: int | None = None

    def first_line(self) -> str:
        """Text of the first line."""
        return self.data[: self.data.index(b"\n")].decode("utf-8")

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield number and text of the lines, but not of empty ones."""
        for number, line in enumerate(self.data.split(b"\n")[:-1], self.number):
            if line:
                yield number, line.decode("utf-8")


def count_lines(data: bytes) -> int:
    """Return the number of line ends; other threads go on meanwhile, unlike in bytes.count."""
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == NEWLINE))


class LineCounter:
    """Counts line ends like `count_lines`, of many blocks in one array.

    An array of a megabyte is new memory each time, which the system first fills with zeros.
    """

    def __init__(self) -> None:
        self._is_end = np.zeros(0, np.bool_)

    def count(self, data: bytes) -> int:
        """Return the number of line ends."""
        if len(self._is_end) < len(data):
            self._is_end = np.empty(len(data), np.bool_)
        is_end = self._is_end[: len(data)]
        np.equal(np.frombuffer(data, np.uint8), NEWLINE, out=is_end)
        return int(np.count_nonzero(is_end))


def small(block: Block) -> Iterator[Block]:
    """Yield the lines of a block in blocks of SIZE, or a line's size."""
    data, number, start = block.data, block.number, 0
    while start < len(data):
        end = data.find(b"\n", start + SIZE - 1) + 1 or len(data)
        n_lines = data.count(b"\n", start, end)
        yield block._replace(number=number, data=data[start:end], n_lines=n_lines)
        number += n_lines
        start = end


def read_blocks(path: str, size: int = SIZE) -> Iterator[Block]:
    """Yield the blocks of a file; raises DataError for what cannot be read or is no UTF-8."""
    name = display_name(path)
    number = 1
    first = True  # which a byte order mark may begin
    rest: list[bytes] = []  # of the line that the last chunk cut, in pieces: it may be a long one
    size_of_line = 0
    read = 0
    line_ends = LineCounter()
    with open_input(path) as file:
        try:
            while chunk := file.read(size if read < SHORT else max(size, LARGE)):
                if first:
                    refuse(chunk[:HEAD], name, "n-best lists", LISTS)
                read += len(chunk)
                whole = chunk.rfind(b"\n") + 1
                if not whole:
                    rest.append(chunk)
                    size_of_line += len(chunk)
                    if size_of_line > LONGEST_LINE:
                        part, tail = _at_character(b"".join(rest))
                        yield _block(name, number, part, first)
                        first = False
                        rest = [tail]
                        size_of_line = len(tail)
                    continue
                lines = b"".join([*rest, memoryview(chunk)[:whole]])
                block = _block(name, number, lines, first)
                first = False
                rest = [chunk[whole:]]
                size_of_line = len(rest[0])
                n_lines = line_ends.count(block.data)
                yield block._replace(n_lines=n_lines)
                number += n_lines
        except (EOFError, OSError) as error:
            problem = getattr(error, "strerror", None) or str(error)
            place = f"after line {number - 1}" if number > 1 else None
            raise DataError(name, place, f"cannot be read: {problem}") from error
    if any(rest):
        yield _block(name, number, b"".join([*rest, b"\n"]), first)


def whole_lines(blocks: Iterable[Block]) -> Iterator[Block]:
    """The same blocks; raises DataError for a line that is too long."""
    for block in blocks:
        if not block.data.endswith(b"\n"):
            raise DataError(block.name, f"line {block.number}", str(too_long()))
        yield block


def _at_character(data: bytes) -> tuple[bytes, bytes]:
    """A part of a line but for its last character, and that, which may be cut, or half an end."""
    end = len(data) - 1
    while end and 0x80 <= data[end] < 0xC0:  # inside a character of UTF-8
        end -= 1
    return data[:end], data[end:]


def read_ahead(path: str) -> Iterator[Block]:
    """The blocks of a file, the next of which are got in a thread: decompression takes its time.

    Not so from a pipe, which could keep the thread waiting when the program wants to end.
    """
    blocks = read_blocks(path)
    return _ahead(blocks) if os.path.isfile(path) else blocks


def _ahead(blocks: Iterator[Block]) -> Iterator[Block]:
    asked: SimpleQueue[bool] = SimpleQueue()
    ready: SimpleQueue[Block | BaseException | None] = SimpleQueue()

    ended = threading.Event()

    def work() -> None:
        while asked.get() and not ended.is_set():
            try:
                ready.put(next(blocks, None))
            except BaseException as error:
                ready.put(error)

    # a daemon: who takes the blocks may end with an error, and never come back for the rest
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        for _ in range(AHEAD):
            asked.put(True)
        while (block := ready.get()) is not None:
            if isinstance(block, BaseException):
                raise block
            asked.put(True)
            yield block
    finally:
        ended.set()
        asked.put(False)
        thread.join()


def _block(name: str, number: int, data: bytes, first: bool) -> Block:
    if first:
        data = data.removeprefix(BOM_UTF8)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    if data.isascii():
        return Block(name, number, data)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = number + data.count(b"\n", 0, error.start)
        column = error.start - data.rfind(b"\n", 0, error.start)
        problem = f"expected UTF-8, found byte 0x{data[error.start]:02x} at column {column}"
        raise DataError(name, f"line {line}", problem) from error
    return Block(name, number, data)
