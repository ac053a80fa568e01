"""Packed shards on disk: made once of a stream, then mapped at every pass.

An entry of the cache is named by what it was made of, the checksum of the stream and the
references, so one collection is packed once, whatever is tuned on it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from xxhash import xxh3_128_hexdigest

from campanula.formats import __version__
from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.collections.holding import ShardCounts
from campanula.formats.model.array_folder import (
    Arrays,
    DamagedEntry,
    read_arrays,
    store_arrays,
)
from campanula.formats.text.references import References
from campanula.stages.kernels.shards.records import MORE, OwnSums, ShardLists
from campanula.stages.tuning.sharded.packing import shard_of

NO_ROOM = np.zeros(0)
LAYOUT = 3  # of the arrays; another is another entry


@dataclass(frozen=True, slots=True)
class PackedShard:
    """A shard that is mapped: sid (n_lists,), gaps and constant as packed, the lists.

    n_features: different features that it has; nbytes: of its arrays, on disk; carrier: the place
    of a feature whose weight is 1 whatever theta says (folding.py), or -1.
    """

    name: str
    sid: Ints
    gaps: Any
    constant: Ids
    lists: ShardLists
    n_features: int
    nbytes: int
    carrier: int = -1

    @classmethod
    def of(cls, name: str, arrays: Mapping[str, Any]) -> PackedShard:
        """A shard of its arrays; `name` is that of the stream."""
        nbytes = sum(array.nbytes for array in arrays.values())
        sid, gaps, constant = (arrays[column] for column in ("sid", "gaps", "constant"))
        n_features = int(np.count_nonzero(gaps != MORE))
        return cls(name, sid, gaps, constant, shard_of(arrays), n_features, nbytes)

    @property
    def counts(self) -> ShardCounts:
        """What it holds; at least a list."""
        n_hyps = int(self.lists.list_pointer[-1])
        return ShardCounts(int(self.sid[0]), int(self.sid[-1]), len(self.sid), n_hyps)

    @property
    def ids(self) -> Ids:
        """Their numbers among all (n_features,), ascending."""
        from campanula.stages.kernels.shards.gaps import ids_of

        ids = np.empty(self.n_features, np.int32)
        ids_of(self.gaps, ids)
        return ids

    def gathered(self, theta: Floats) -> Floats:
        """Their entries (n_features,) of an array over all features."""
        return self.own(theta, with_gradient=False).pair.reshape(-1)

    def own(self, theta: Floats, with_gradient: bool, room: Floats = NO_ROOM) -> OwnSums:
        """The same, with places for what a pass adds to; in a room, if it is large enough."""
        from campanula.stages.kernels.shards.gaps import gather_pairs

        size, width = self.n_features, 1 + with_gradient
        if len(room) < size * width:
            room = np.empty(size * width)
        pair = room[: size * width].reshape(size, width)
        gather_pairs(self.gaps, theta, pair)
        if self.carrier >= 0:
            pair[self.carrier, 0] = 1.0
        return OwnSums(np.array([0.0, -np.inf]), pair)

    @property
    def n_entries(self) -> int:
        """Number of stored feature values."""
        lists = self.lists
        low, high = lists.binary_length, lists.binary_length_high
        binary = sum(int(a.sum(dtype=np.int64)) * b for a, b in ((low, 1), (high, 256)))
        return len(lists.dense) + len(lists.sparse_code) + binary


def entry_of(cache: str, checksum: str, references: References | None) -> str:
    """Folder in the cache for the shard of a stream with this checksum."""
    known = "" if references is None else references.digest()
    made_of = f"{__version__} {LAYOUT} {checksum} {known}"
    return os.path.join(cache, "shards", xxh3_128_hexdigest(made_of.encode()))


def stored(entry: str, name: str) -> PackedShard | str | None:
    """The shard of an entry; None where there is none, and what is wrong with a damaged one."""
    try:
        arrays = read_arrays(entry)
    except DamagedEntry as damaged:
        return str(damaged)
    return None if arrays is None else PackedShard.of(name, arrays)


def store(entry: str, arrays: Arrays) -> None:
    """Write an entry; raises DataError when it cannot be written."""
    store_arrays(arrays, entry)
