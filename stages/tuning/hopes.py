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
        """Hopes from the list pointers and the shares (n_hyps,) of consecutive chunks.

        Each is looked at before the next is asked for.
        """
        counts, places, weights = Column(np.int64), Column(np.int64), Column(np.float64)
        for list_pointer, share in shares:
            at = np.flatnonzero(share)
            count = np.diff(np.searchsorted(at, list_pointer))
            counts.extend(count)
            places.extend(at - np.repeat(list_pointer[:-1], count))
            weights.extend(share[at])
        return cls(pointer_of(counts.values), places.values, weights.values)

    def of_chunk(self, chunk: Chunk) -> Hopes:
        """Hopes of the lists of a chunk."""
        return self.span(chunk.first, chunk.first + chunk.lists.n_lists)

    def span(self, first: int, last: int) -> Hopes:
        """Hopes of the lists from number `first` up to `last`."""
        pointer = self.pointer[first : last + 1]
        span = slice(pointer[0], pointer[-1])
        return Hopes(pointer - pointer[0], self.place[span], self.weight[span])

    def share(self, list_pointer: Ints) -> Floats:
        """Shares (n_hyps,) of all hypotheses, 0 where there is no hope."""
        share = np.zeros(list_pointer[-1])
        share[self.place + np.repeat(list_pointer[:-1], np.diff(self.pointer))] = self.weight
        return share

    @classmethod
    def read(cls, path: str, data: TuningSet | ShardedSet) -> Hopes:
        """Read a hope stream; raises DataError unless it has just the lists' sentences."""
        with open_lists(path, Hope) as reader:
            return cls.of_records(reader, data, reader.name)

    @classmethod
    def of_records(
        cls, records: Iterable[Hope], data: TuningSet | ShardedSet, source: str = "hopes"
    ) -> Hopes:
        """Hopes of all lists, such as `impute_hope` yields; raises DataError unless they match."""
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
    if number >= data.n_lists:
        problem = f"expected {data.n_lists} sentences as in {data.path}, found more"
        raise DataError(source, f"sentence {hope.sid}", problem)
    sid, size = int(data.sid[number]), int(data.size[number])
    if (hope.sid, hope.size) != (sid, size):
        problem = f"expected sentence {sid} of {size} hypotheses as in {data.path}"
        found = f"found sentence {hope.sid} of {hope.size}"
        raise DataError(source, f"sentence {hope.sid}", f"{problem}, {found}")
    known = data.id_hash if isinstance(data, TuningSet) else None
    if known is not None and int(known[number]) != id_hash(hope.id):
        found = "no id" if hope.id is None else repr(hope.id[:60])
        problem = f"expected the id that the sentence has in {data.path}, found {found}"
        raise DataError(source, f"sentence {hope.sid}", problem)
