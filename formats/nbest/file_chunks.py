"""Chunks of files of n-best lists that can be read each for itself: whole lists, one after another.

A chunk ends where the first token of a line is not that of the line before.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import NamedTuple, Self

from campanula.formats.errors import DataError, unreadable
from campanula.formats.files import display_name
from campanula.formats.foreign.kinds import HEAD
from campanula.formats.foreign.refusing import refuse
from campanula.formats.lines import LONGEST_LINE
from campanula.formats.nbest.blocks import LARGE, LISTS, Block, block_of

FIRST = 1 << 16  # bytes of a file's first chunk, which shows early what its lines are like
BUFFER = 1 << 15  # bytes read at a time to find the end of a list


class FileChunk(NamedTuple):
    """Bytes start, ..., end - 1 of a file: whole lines; file: its place among all files."""

    file: int
    start: int
    end: int

    @property
    def size(self) -> int:
        """Number of bytes."""
        return self.end - self.start


class ChunkedFiles:
    """Files that are open while chunks of them are read, in this process or its forks.

    `with ChunkedFiles(paths) as files:`; raises DataError for a file that cannot be opened.
    """

    def __init__(self, paths: Sequence[str], first: int = FIRST, size: int = LARGE) -> None:
        """Open the files; first: bytes of a file's first chunk, size: of the others, at least."""
        self._names = [display_name(path) for path in paths]
        self._first = first
        self._size = size
        self._open = ExitStack()
        self._files = []
        for path, name in zip(paths, self._names, strict=True):
            try:
                file = self._open.enter_context(open(path, "rb", buffering=BUFFER))  # noqa: SIM115
            except OSError as error:
                self._open.close()
                raise unreadable(name, error) from error
            self._files.append(file)
        self._before = [self._state(place) for place in range(len(self._files))]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def chunks(self) -> Iterator[FileChunk]:
        """Yield the chunks of all files, one after another.

        A chunk longer than LONGEST_LINE need not end with a list.  Raises DataError for a file
        that is empty or cannot be read.
        """
        for place, name in enumerate(self._names):
            try:
                yield from self._of_file(place)
            except OSError as error:
                raise unreadable(name, error) from error

    def _of_file(self, place: int) -> Iterator[FileChunk]:
        size = self._before[place][0]
        if not size:
            raise DataError(self._names[place], None, "expected hypotheses, found none")
        start = 0
        while start < size:
            end = self._end_of_list(place, start, start + (self._size if start else self._first))
            yield FileChunk(place, start, min(end, size))
            start = end

    def _end_of_list(self, place: int, start: int, at: int) -> int:
        """Return where the list ends that has the line behind the byte `at`."""
        file = self._files[place]
        file.seek(at)
        # the end of a line, of which the first token is not known
        end = at + len(file.readline(LONGEST_LINE))
        before = None
        while end - start <= LONGEST_LINE and (line := file.readline(LONGEST_LINE)):
            sentence = line.partition(b" ")[0]
            if before not in (None, sentence):
                break
            before = sentence
            end += len(line)
        return end

    def read(self, chunk: FileChunk) -> Block:
        """Return the lines of a chunk, which are not numbered.

        Raises DataError for lines that are no UTF-8, for a file of another well-known kind, and for
        one that cannot be read or has become shorter.
        """
        name = self._names[chunk.file]
        try:
            # forks share the place in a file that `read` would begin at
            data = os.pread(self._files[chunk.file].fileno(), chunk.size, chunk.start)
        except OSError as error:
            raise unreadable(name, error) from error
        if len(data) != chunk.size:
            raise self._changed(chunk.file)
        if not chunk.start:
            refuse(data[:HEAD], name, "n-best lists", LISTS)
        if not data.endswith(b"\n"):
            data += b"\n"
        return block_of(name, 0, data, not chunk.start)

    def check_unchanged(self) -> None:
        """Raise DataError for a file that has been written to since it was opened."""
        for place, state in enumerate(self._before):
            if self._state(place) != state:
                raise self._changed(place)

    def _state(self, place: int) -> tuple[int, int]:
        """Return size and time of the last change, in ns."""
        status = os.fstat(self._files[place].fileno())
        return status.st_size, status.st_mtime_ns

    def _changed(self, place: int) -> DataError:
        problem = "expected a file that stays as it is, found that it changed while it was read"
        return DataError(self._names[place], None, problem)
