"""The imputed hopes of all lists: what CCCP holds fixed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.growing import Column
from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.collections.opening import open_lists
from campanula.formats.errors import DataError
from campanula.formats.records.hope import Hope
from campanula.formats.records.matching import id_hash
from campanula.stages.tuning.tuning_set import TuningSet

if TYPE_CHECKING:
    from campanula.formats.arrays.types import Floats, Ints
    from campanula.stages.tuning.chunks import Chunk
    from campanula.stages.tuning.sharded.sharded_set import ShardedSet


@dataclass(frozen=True, slots=True)
class Hopes:
    """Hopes of list i: pointer[i]:pointer[i + 1] of place (in its list) and weight.

    A maximum has one place of weight 1, a soft one a distribution; a list without a place has no
    hope and is skipped.
    """

    pointer: Ints
    place: Ints
    weight: Floats

    @classmethod
    def of(cls, shares: Iterable[tuple[Ints, Floats]]) -> Hopes:
        """Return the hopes from list pointers and shares (n_hyps,) of consecutive chunks.

        A chunk is read before the next one is asked for, so chunks may reuse their memory.
        """
        counts = Column(np.int64)
        places = Column(np.int64)
        weights = Column(np.float64)
        for list_pointer, share in shares:
            hope = np.flatnonzero(share)
            # `hope` is sorted, so searchsorted gives how many hopes come before each list
            count = np.diff(np.searchsorted(hope, list_pointer))
            counts.extend(count)
            places.extend(hope - np.repeat(list_pointer[:-1], count))
            weights.extend(share[hope])
        return cls(pointer_of(counts.values), places.values, weights.values)

    def of_chunk(self, chunk: Chunk) -> Hopes:
        """Return the hopes of a chunk's lists; pointer starts at 0."""
        return self.span(chunk.first, chunk.first + chunk.lists.n_lists)

    def span(self, first: int, last: int) -> Hopes:
        """Return the hopes of the lists from number `first` up to, not with, `last`."""
        pointer = self.pointer[first : last + 1]
        span = slice(pointer[0], pointer[-1])
        return Hopes(pointer - pointer[0], self.place[span], self.weight[span])

    def share(self, list_pointer: Ints) -> Floats:
        """Return the shares (n_hyps,) of all hypotheses, 0 for those that are no hope."""
        share = np.zeros(list_pointer[-1])
        share[self.place + np.repeat(list_pointer[:-1], np.diff(self.pointer))] = self.weight
        return share

    @classmethod
    def read(cls, path: str, data: TuningSet | ShardedSet) -> Hopes:
        """Read a hope stream; raises DataError unless its sentences are those of the lists."""
        with open_lists(path, Hope) as reader:
            return cls.of_records(reader, data, reader.name)

    @classmethod
    def of_records(
        cls, records: Iterable[Hope], data: TuningSet | ShardedSet, source: str = "hopes"
    ) -> Hopes:
        """Return the hopes of all lists from records, in the order of the lists.

        Raises DataError, with `source` as the file, for other sentences, sizes or ids than the
        lists have.
        """
        hopes: list[Hope] = []
        for hope in records:
            _check(hope, len(hopes), data, source)
            hopes.append(hope)
        if len(hopes) != data.n_lists:
            problem = f"expected {data.n_lists} sentences as in {data.path}, found {len(hopes)}"
            raise DataError(source, None, problem)
        pointer = pointer_of([len(hope.index) for hope in hopes])
        place = np.concatenate([hope.index for hope in hopes])
        return cls(pointer, place, np.concatenate([hope.weight for hope in hopes]))


def _check(hope: Hope, number: int, data: TuningSet | ShardedSet, source: str) -> None:
    """Raise DataError unless a hope has the sid, size and id of list `number`."""
    if number >= data.n_lists:
        problem = f"expected {data.n_lists} sentences as in {data.path}, found more"
        raise DataError(source, f"sentence {hope.sid}", problem)
    sid = int(data.sid[number])
    size = int(data.size[number])
    if (hope.sid, hope.size) != (sid, size):
        problem = f"expected sentence {sid} of {size} hypotheses as in {data.path}"
        found = f"found sentence {hope.sid} of {hope.size}"
        raise DataError(source, f"sentence {hope.sid}", f"{problem}, {found}")
    hashes = data.id_hash if isinstance(data, TuningSet) else None  # shards keep no ids
    if hashes is not None and int(hashes[number]) != id_hash(hope.id):
        found = "no id" if hope.id is None else repr(hope.id[:60])
        problem = f"expected the id that the sentence has in {data.path}, found {found}"
        raise DataError(source, f"sentence {hope.sid}", problem)
