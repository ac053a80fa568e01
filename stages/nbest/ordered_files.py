"""Large files of lists in order, read and packed part by part: memory for a few parts is enough.

Most lists are in order: their sentences are numbered, the numbers ascend from part to part, and all
lines have the labels and the fields of the first.  Any part of such a file can be read without the
others, in any process.  Where a part is not like that, OutOfOrder ends it all.  The files must then
be read as a whole, which also finds the words for what is wrong with them.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing

import msgpack

from campanula.formats.errors import DataError
from campanula.formats.lines import LONGEST_LINE
from campanula.formats.nbest import ListFormat, OurFormat
from campanula.formats.nbest.bars import BarReader
from campanula.formats.nbest.blocks import Block, ahead
from campanula.formats.nbest.fields import Cut, Layout
from campanula.formats.nbest.file_parts import Part, parts_of, read_part
from campanula.formats.nbest.rows import GatheredLists
from campanula.formats.nbest.sentence_ids import SentenceIds
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.stream import Writer
from campanula.stages.nbest.cutting import cut_by_kernel
from campanula.stages.nbest.forked_packing import ImportWarnings, Prepare, packed, unpacked
from campanula.stages.parallel.forks import Buffer, can_fork, in_forks


class OutOfOrder(Exception):
    """Lists that cannot be read part by part."""


def bar_reader(form: ListFormat) -> BarReader:
    """Return a reader of a format's lines; raises OutOfOrder unless they have bars."""
    reader = form.reader() if isinstance(form, OurFormat) else None
    if not isinstance(reader, BarReader):
        raise OutOfOrder
    return reader


def write_in_order(
    paths: Sequence[str],
    reader: BarReader,
    prepare: Prepare,
    warnings: ImportWarnings,
    out: Writer[KBest],
    jobs: int,
) -> None:
    """Write all lists of some files as `prepare` returns them, and count them for the warnings.

    Raises OutOfOrder where the files must be read as a whole, also where one has a fault.
    """
    if not all(map(os.path.isfile, paths)):
        raise OutOfOrder
    parts = _parts(paths)
    writing = PartWriting(PartReader(reader), prepare, warnings, out)
    if jobs == 1 or not can_fork():
        writing.write(ahead(map(_read, parts)))
    else:
        # the first part shows the forks what lines are like
        writing.write(map(_read, itertools.islice(parts, 1)))
        writing.write_in_forks(parts, jobs)


class PartReader:
    """Reads parts that are like the first one."""

    def __init__(self, reader: BarReader) -> None:
        self._reader = reader
        self.names = Names()
        self._ids = SentenceIds()
        self._layout: Layout | None = None
        self._shown: object = None

    def lists(self, block: Block) -> GatheredLists:
        """Return the lists of a part, sorted; raises OutOfOrder."""

        def cut(layout: Layout) -> Cut:
            self._layout = self._layout or layout
            fields = cut_by_kernel(block.data, layout) if layout == self._layout else None
            if fields is None:
                raise OutOfOrder
            return fields

        piece = self._reader.piece(block._replace(cutter=cut), self.names, self._ids)
        shown = self._reader.shown()
        self._shown = shown if self._shown is None else self._shown
        if piece is None or shown != self._shown:
            raise OutOfOrder
        piece = piece.with_field_names(self._reader.field_names())
        lists = GatheredLists([piece], self.names, self._ids)
        self.names = lists.names
        return lists


class PartWriting:
    """Writes the lists of parts one after another; raises OutOfOrder unless they ascend."""

    def __init__(
        self, reader: PartReader, prepare: Prepare, warnings: ImportWarnings, out: Writer[KBest]
    ) -> None:
        self._reader = reader
        self._prepare = prepare
        self._warnings = warnings
        self._out = out
        self._last = -1  # the sentence that was written last

    def write(self, parts: Iterable[Block]) -> None:
        """Write the lists of parts."""
        for part in parts:
            for kbest in self._reader.lists(part):
                self._follow(kbest.sid, kbest.sid)
                try:
                    prepared = self._prepare(kbest)
                except DataError as error:
                    raise OutOfOrder from error
                self._warnings.look(prepared)
                self._out.write(prepared)

    def write_in_forks(self, parts: Iterable[Part], jobs: int) -> None:
        """Write the lists of parts, behind a first one, that forked processes read and pack."""
        packing = PartPacking(self._reader, self._prepare)
        with closing(in_forks(packing, parts, _task, jobs)) as done:
            for _, result in done:
                if not result:
                    raise OutOfOrder
                records, counts = unpacked(result)
                self._follow(records.sids[0], records.sids[-1])
                self._warnings.add(counts, self._reader.names)
                self._out.write_packed(records)

    def _follow(self, first: int, last: int) -> None:
        """Go on with sentences from `first` to `last`."""
        if first <= self._last:
            raise OutOfOrder
        self._last = last


class PartPacking:
    """Packs the lists of parts in a forked process."""

    def __init__(self, reader: PartReader, prepare: Prepare) -> None:
        self._reader = reader
        self._prepare = prepare

    def __call__(self, task: memoryview) -> list[Buffer]:
        """Return the lists of a part as `packed` does; nothing if one of them is out of order."""
        try:
            lists = self._reader.lists(_read(Part(*msgpack.unpackb(task))))
        except OutOfOrder:
            return []
        data, count = packed(lists, range(len(lists)), self._prepare)
        return data if count == len(lists) else []


def _parts(paths: Iterable[str]) -> Iterator[Part]:
    """Yield the parts of all files; raises OutOfOrder for an empty one."""
    for path in paths:
        part = None
        for part in parts_of(path):
            yield part
        if part is None:
            raise OutOfOrder


def _read(part: Part) -> Block:
    # one of this size may hold a line that is too long
    if part.end - part.start > LONGEST_LINE:
        raise OutOfOrder
    try:
        return read_part(part)
    except DataError as error:
        raise OutOfOrder from error


def _task(part: Part) -> list[Buffer]:
    return [msgpack.packb(part)]
