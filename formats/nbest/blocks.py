r"""Reads a text file as blocks of whole lines: valid UTF-8, each line ending in \n.

A byte order mark is dropped, `\r\n` becomes `\n`, and a last line without an end gets one.  Nothing
else ends a line.  Blocks fit in the processor's cache, which doubles the speed of what NumPy does
with them.  After the first megabytes of a file they are larger, for kernels that read them once;
`small` divides these for other readers.

Pieces of a line longer than LONGEST_LINE come as blocks that do not end in \n: JSON may be one line
of any length, of which only the records are limited.  Readers of lines use `whole_lines`, which
refuses such a line.
"""

from __future__ import annotations

import threading
from codecs import BOM_UTF8
from collections.abc import Generator, Iterable, Iterator
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from campanula.formats.errors import DataError, unreadable
from campanula.formats.files import display_name, is_file, open_input
from campanula.formats.foreign.kinds import HEAD
from campanula.formats.foreign.refusing import refuse
from campanula.formats.lines import LONGEST_LINE, check_utf8, too_long, utf8_problem

if TYPE_CHECKING:
    from campanula.formats.nbest.fields import Cutter

NEWLINE = ord("\n")
SIZE = 1 << 18  # bytes of a block that fits in the processor's cache
LISTS = ("n-best", "json", "json-texts", "weights", "sgml")  # kinds that lists may look like
LARGE = 1 << 20  # bytes of a block after the first SHORT bytes of a file
SHORT = 1 << 23  # bytes of a file that are read in small blocks
AHEAD = 4  # blocks that the thread reads before they are asked for


class Block(NamedTuple):
    """Whole lines of a file; number: that of the first line, from 1.

    cutter: a kernel that splits lines into fields faster than fields.cut, None without one;
    n_lines: number of lines, None if they have not been counted.  The thread that reads counts
    them, for the threads that split.
    """

    name: str
    number: int
    data: bytes
    cutter: Cutter | None = None
    n_lines: int | None = None

    def first_line(self) -> str:
        """Return the text of the first line."""
        return self.data[: self.data.index(b"\n")].decode("utf-8")

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield number and text of each line that is not empty."""
        for number, line in enumerate(self.data.split(b"\n")[:-1], self.number):
            if line:
                yield number, line.decode("utf-8")


def count_lines(data: bytes) -> int:
    """Return the number of line ends; other threads run meanwhile, unlike in bytes.count."""
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == NEWLINE))


def small(block: Block) -> Iterator[Block]:
    """Yield the lines of a block in blocks of about SIZE bytes, larger where one line is."""
    data = block.data
    number = block.number
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + SIZE - 1) + 1 or len(data)
        n_lines = data.count(b"\n", start, end)
        yield block._replace(number=number, data=data[start:end], n_lines=n_lines)
        number += n_lines
        start = end


def read_blocks(path: str, size: int = SIZE) -> Iterator[Block]:
    """Yield the blocks of a file; raises DataError for a file that is unreadable or no UTF-8."""
    name = display_name(path)
    number = 1
    first = True  # whether this is the first block, which may begin with a byte order mark
    # pieces of the line that the last chunk cut; joined once, since a long line has many
    rest: list[bytes] = []
    size_of_line = 0
    read = 0
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
                        piece, tail = _at_character(b"".join(rest))
                        yield block_of(name, number, piece, first)
                        first = False
                        rest = [tail]
                        size_of_line = len(tail)
                    continue
                lines = b"".join([*rest, memoryview(chunk)[:whole]])
                block = block_of(name, number, lines, first)
                first = False
                rest = [chunk[whole:]]
                size_of_line = len(rest[0])
                n_lines = count_lines(block.data)
                yield block._replace(n_lines=n_lines)
                number += n_lines
        except (EOFError, OSError) as error:
            place = f"after line {number - 1}" if number > 1 else None
            raise unreadable(name, error, place) from error
    if any(rest):
        yield block_of(name, number, b"".join([*rest, b"\n"]), first)


def whole_lines(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the blocks; raises DataError for a line that is too long."""
    for block in blocks:
        if not block.data.endswith(b"\n"):
            raise DataError(block.name, f"line {block.number}", str(too_long()))
        yield block


def _at_character(data: bytes) -> tuple[bytes, bytes]:
    r"""Split off the last character of a piece of a line: it may be cut, or the \r of \r\n."""
    end = len(data) - 1
    while end and 0x80 <= data[end] < 0xC0:  # inside a character of UTF-8
        end -= 1
    return data[:end], data[end:]


def read_ahead(path: str) -> Iterator[Block]:
    """Yield the blocks of a file, read and decompressed ahead in a thread.

    A pipe is read without a thread, which might wait for it when the program wants to end.
    """
    blocks = read_blocks(path)
    return ahead(blocks) if is_file(path) else blocks


def ahead(blocks: Iterator[Block]) -> Generator[Block, None, None]:
    """Yield the blocks, and let a thread make AHEAD more meanwhile."""
    asked: SimpleQueue[bool] = SimpleQueue()
    ready: SimpleQueue[Block | BaseException | None] = SimpleQueue()

    ended = threading.Event()

    def work() -> None:
        while asked.get() and not ended.is_set():
            try:
                ready.put(next(blocks, None))
            except BaseException as error:
                ready.put(error)

    # a daemon: the program may end with an error and never ask for the rest of the blocks
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        for _ in range(AHEAD):
            asked.put(True)
        while (block := ready.get()) is not None:
            if isinstance(block, BaseException):
                try:
                    raise block
                finally:
                    del block  # or its traceback would hold this frame, and this frame the error
            asked.put(True)
            yield block
    finally:
        ended.set()
        asked.put(False)
        thread.join()


def block_of(name: str, number: int, data: bytes, first: bool) -> Block:
    """Return whole lines as a block; first: whether a byte order mark may precede them.

    Raises DataError for lines that are no UTF-8.
    """
    if first:
        data = data.removeprefix(BOM_UTF8)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    if data.isascii():
        return Block(name, number, data)
    try:
        check_utf8(data)
    except UnicodeDecodeError as error:
        line = number + data.count(b"\n", 0, error.start)
        start = data.rfind(b"\n", 0, error.start) + 1  # of the line
        raise DataError(name, f"line {line}", utf8_problem(error, start)) from error
    return Block(name, number, data)
