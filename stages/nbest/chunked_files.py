"""Large files of lists, read and packed chunk by chunk, so that few lists are in memory.

In most files the numbers of sentences ascend, and all lines have the fields and labels of the
first.  Each chunk of such a file can be read without the others, in any process.  Where a chunk is
not like that, NotSeparable ends it all.  The files must then be read as a whole, which also finds
the words for what is wrong with them.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from functools import partial
from operator import attrgetter

from campanula.formats.errors import DataError
from campanula.formats.lines import LONGEST_LINE
from campanula.formats.nbest import ListFormat, OurFormat
from campanula.formats.nbest.bars import BarReader
from campanula.formats.nbest.blocks import Block, ahead
from campanula.formats.nbest.field_kinds import Evidence
from campanula.formats.nbest.fields import Cut, Layout
from campanula.formats.nbest.file_chunks import ChunkedFiles, FileChunk
from campanula.formats.nbest.rows import GatheredLists
from campanula.formats.nbest.sentence_ids import SentenceIds
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.stream import Writer
from campanula.stages.nbest.cutting import cut_by_kernel
from campanula.stages.nbest.forked_packing import ImportWarnings, Prepare, pack_lists, unpacked
from campanula.stages.parallel.forks import Buffer, can_fork, in_forks

TASK = struct.Struct("=qqq")  # a FileChunk


class NotSeparable(Exception):
    """Files whose chunks cannot be read without one another."""


def bar_reader(form: ListFormat) -> BarReader | None:
    """Return a reader of a format's lines if they have fields between bars, None for others."""
    reader = form.reader() if isinstance(form, OurFormat) else None
    return reader if isinstance(reader, BarReader) else None


def write_in_chunks(
    paths: Sequence[str],
    reader: BarReader,
    prepare: Prepare,
    warnings: ImportWarnings,
    out: Writer[KBest],
    jobs: int,
) -> None:
    """Write all lists of some files as `prepare` returns them, and count them for the warnings.

    Raises NotSeparable where the files must be read as a whole, also where one has a fault.
    """
    try:
        files = ChunkedFiles(paths)
    except DataError as error:
        raise NotSeparable from error
    with files, closing(_chunks(files)) as chunks:
        writing = ChunkWriting(files, ChunkReader(reader), prepare, warnings, out)
        if jobs == 1 or not can_fork():
            writing.write(chunks)
        else:
            # the first chunk shows the forks what lines are like
            writing.write(itertools.islice(chunks, 1))
            writing.write_in_forks(chunks, jobs)
        try:
            files.check_unchanged()
        except DataError as error:
            raise NotSeparable from error


class ChunkReader:
    """Reads chunks that are like the first one.

    The reader of lines keeps what they have shown: labels with the number of their values, places
    of fields, kinds of further fields, ids.  Chunks with the layout of the first, after which the
    kinds are the same and no id is a text, leave all of this as it is.  So they can be read in any
    order.
    """

    def __init__(self, reader: BarReader) -> None:
        self.names = Names()
        self._reader = reader
        self._ids = SentenceIds()
        self._layout: Layout | None = None
        self._evidence: dict[int, Evidence] | None = None

    def lists(self, block: Block) -> GatheredLists:
        """Return the lists of a chunk, sorted; raises NotSeparable."""
        cutter = partial(self._cut, block.data)
        piece = self._reader.piece(block._replace(cutter=cutter), self.names, self._ids)
        evidence = self._reader.evidence()
        if self._evidence is None:
            self._evidence = evidence
        if piece is None or evidence != self._evidence:
            raise NotSeparable
        if self._reader.is_ragged or not self._ids.are_numbers:
            raise NotSeparable
        piece = piece.with_field_names(self._reader.field_names())
        lists = GatheredLists([piece], self.names, self._ids)
        self.names = lists.names
        return lists

    def _cut(self, data: bytes, layout: Layout) -> Cut | None:
        """Return the fields of lines with the layout of the first chunk's; raises NotSeparable."""
        if self._layout is None:
            self._layout = layout
        if layout != self._layout:
            raise NotSeparable
        return cut_by_kernel(data, layout)


class ChunkWriting:
    """Writes the lists of chunks one after another; raises NotSeparable unless they ascend."""

    def __init__(
        self,
        files: ChunkedFiles,
        reader: ChunkReader,
        prepare: Prepare,
        warnings: ImportWarnings,
        out: Writer[KBest],
    ) -> None:
        self._files = files
        self._reader = reader
        self._prepare = prepare
        self._warnings = warnings
        self._out = out
        self._last = -1  # the sentence that was written last

    def write(self, chunks: Iterable[FileChunk]) -> None:
        """Write the lists of chunks, which a thread reads ahead."""
        with closing(ahead(_block(self._files, chunk) for chunk in chunks)) as blocks:
            for block in blocks:
                for kbest in self._reader.lists(block):
                    self._follow(kbest.sid, kbest.sid)
                    try:
                        prepared = self._prepare(kbest)
                    except DataError as error:
                        raise NotSeparable from error
                    self._warnings.look(prepared)
                    self._out.write(prepared)

    def write_in_forks(self, chunks: Iterable[FileChunk], jobs: int) -> None:
        """Write the lists of chunks, behind a first one, that forked processes read and pack."""
        packing = ChunkPacking(self._files, self._reader, self._prepare)
        with closing(in_forks(packing, chunks, _task, jobs, attrgetter("size"))) as done:
            for _, result in done:
                if not result:
                    raise NotSeparable
                records, counts = unpacked(result)
                self._follow(records.sids[0], records.sids[-1])
                self._warnings.add(counts, self._reader.names)
                self._out.write_packed(records)

    def _follow(self, first: int, last: int) -> None:
        """Go on with sentences from `first` to `last`."""
        if first <= self._last:
            raise NotSeparable
        self._last = last


class ChunkPacking:
    """Packs the lists of chunks in a forked process."""

    def __init__(self, files: ChunkedFiles, reader: ChunkReader, prepare: Prepare) -> None:
        self._files = files
        self._reader = reader
        self._prepare = prepare

    def __call__(self, task: memoryview) -> list[Buffer]:
        """Return the lists of a chunk as `pack_lists` does; nothing if it cannot be separated."""
        try:
            lists = self._reader.lists(_block(self._files, FileChunk(*TASK.unpack(task))))
        except NotSeparable:
            return []
        data, count = pack_lists(lists, range(len(lists)), self._prepare)
        return data if count == len(lists) else []


def _chunks(files: ChunkedFiles) -> Generator[FileChunk, None, None]:
    try:
        yield from files.chunks()
    except DataError as error:
        raise NotSeparable from error


def _block(files: ChunkedFiles, chunk: FileChunk) -> Block:
    # one of this size may hold a line that is too long
    if chunk.size > LONGEST_LINE:
        raise NotSeparable
    try:
        return files.read(chunk)
    except DataError as error:
        raise NotSeparable from error


def _task(chunk: FileChunk) -> list[Buffer]:
    return [TASK.pack(*chunk)]
