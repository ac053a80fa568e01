"""Lists of a text file that has been read, made and packed in forked processes.

A fork has all lists in its memory, so a task is two numbers: the first list and the end.  Its
result is these lists, packed as records of a stream, and the counts of `ImportWarnings`.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from typing import Any, NamedTuple, TypeGuard

import msgpack

from campanula.formats.nbest.costs import CostHints
from campanula.formats.nbest.presence import Presence
from campanula.formats.nbest.rows import GatheredLists
from campanula.formats.packed_records import PackedRecords, highest_id
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.stream import Writer
from campanula.stages.parallel.forked_lists import FIRST
from campanula.stages.parallel.forks import Buffer, can_fork, in_forks
from campanula.stages.parallel.framing import framed, unframed

LISTS = 32  # of a task
TASK = struct.Struct("=qq")  # first list, end
Prepare = Callable[[KBest], KBest]
"""Function that returns a list as it is written: with another text, or joined subwords."""


class ImportWarnings(NamedTuple):
    """Counts over lists, of which the warnings at the end are made.

    presence: how many hypotheses have each feature.  hints: signs that numbers are costs.
    """

    presence: Presence
    hints: CostHints

    @classmethod
    def none(cls) -> ImportWarnings:
        """Return the counts of no lists."""
        return cls(Presence(), CostHints())

    def look(self, kbest: KBest) -> None:
        """Count one list."""
        self.presence.look(kbest)
        self.hints.look(kbest)

    def counts(self) -> list[dict[str, Any]]:
        """Return the counts for `add`, in values that msgpack can write."""
        return [self.presence.counts(), self.hints.counts()]

    def add(self, counts: list[dict[str, Any]], names: Names) -> None:
        """Add the counts of the lists that follow those so far; names: the table of their ids."""
        self.presence.add(counts[0], names)
        self.hints.add(counts[1], names)

    def lines(self) -> Iterator[str]:
        """Yield the warnings."""
        yield from self.presence.remarks()
        yield from self.hints.remarks()


def can_be_forked(lists: object, jobs: int) -> TypeGuard[GatheredLists]:
    """Whether lists can be packed in forks of this process, and are so many that it is worth it."""
    return (
        jobs > 1 and isinstance(lists, GatheredLists) and len(lists) > FIRST + LISTS and can_fork()
    )


def write_lists(
    lists: GatheredLists, prepare: Prepare, warnings: ImportWarnings, out: Writer[KBest], jobs: int
) -> None:
    """Write all lists as `prepare` returns them, and count them for the warnings.

    Raises DataError where `prepare` or the writer does, of the first such list.
    """

    def write(place: int) -> None:
        kbest = prepare(lists.at(place))
        warnings.look(kbest)
        out.write(kbest)

    for place in range(FIRST):
        write(place)
    starts = range(FIRST, len(lists), LISTS)
    tasks = [(start, min(start + LISTS, len(lists))) for start in starts]
    with closing(in_forks(Packing(lists, prepare), tasks, _data, jobs)) as done:
        for (start, end), result in done:
            records, counts = unpacked(result)
            if records.sids:
                warnings.add(counts, lists.names)
                out.write_packed(records)
            # what the fork did not take: a fault is raised here, of the same list as without forks
            for place in range(start + len(records.sids), end):
                write(place)


def _data(task: tuple[int, int]) -> list[Buffer]:
    return [TASK.pack(*task)]


class Packing:
    """Packs the lists of tasks in a forked process."""

    def __init__(self, lists: GatheredLists, prepare: Prepare) -> None:
        self._lists = lists
        self._prepare = prepare

    def __call__(self, task: memoryview) -> list[Buffer]:
        """Return the packed lists of a task, up to the first that cannot be packed."""
        data, _ = pack_lists(self._lists, range(*TASK.unpack(task)), self._prepare)
        return data


def pack_lists(
    lists: GatheredLists, places: Iterable[int], prepare: Prepare
) -> tuple[list[Buffer], int]:
    """Return the packed lists at some places, up to the first that cannot be packed; their number.

    In front of them stand their numbers, ends and highest ids, and the counts of `ImportWarnings`.
    """
    packer = msgpack.Packer(autoreset=True)
    warnings = ImportWarnings.none()
    sids: list[int] = []
    highest: list[int] = []
    parts: list[Buffer] = []
    # any fault: whoever asked makes this list without forks, and reports the fault in its turn
    with suppress(Exception):
        for place in places:
            kbest = prepare(lists.at(place))
            data = packer.pack(kbest.pack(kbest.names))
            warnings.look(kbest)
            parts.append(data)
            sids.append(kbest.sid)
            highest.append(highest_id(kbest.used_ids))
    ends = list(itertools.accumulate(map(len, parts)))
    header = msgpack.packb([sids, ends, highest, warnings.counts()])
    return [*framed(header), *parts], len(parts)


def unpacked(result: memoryview) -> tuple[PackedRecords, list[dict[str, Any]]]:
    """Return the lists that a process has packed, and their counts."""
    header, data = unframed(result)
    sids, ends, highest, counts = msgpack.unpackb(header)
    return PackedRecords(sids, data, ends, highest), counts
