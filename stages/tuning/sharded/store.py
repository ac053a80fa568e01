"""Packed shards on disk: made once from a stream, then mapped at every pass.

An entry of the cache is named by its sources, the checksum of the stream and the references, so a
collection is packed once for all tunings on it.
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
from campanula.formats.collections.checking import ShardCounts
from campanula.formats.model.array_folder import (
    Arrays,
    DamagedEntry,
    read_arrays,
    store_arrays,
)
from campanula.formats.text.references import References
from campanula.stages.kernels.shards.records import MORE, OwnSums, ShardLists
from campanula.stages.tuning.sharded.packing import shard_of

NO_BUFFER = np.zeros(0)
LAYOUT = 3  # version of the arrays' format; entries of another version are not read


@dataclass(frozen=True, slots=True)
class PackedShard:
    """A shard that is mapped: sid (n_lists,), gaps and constant as packed, and the lists.

    n_features: number of different features; nbytes: bytes of the arrays on disk; carrier: place of
    the feature whose weight is 1 whatever theta is (folding.py), or -1.
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
        """Return the shard of a packer's arrays; name: that of the stream."""
        nbytes = sum(array.nbytes for array in arrays.values())
        sid, gaps, constant = (arrays[column] for column in ("sid", "gaps", "constant"))
        n_features = int(np.count_nonzero(gaps != MORE))
        return cls(name, sid, gaps, constant, shard_of(arrays), n_features, nbytes)

    @property
    def counts(self) -> ShardCounts:
        """First and last sentence, and the numbers of lists and hypotheses; at least one list."""
        n_hyps = int(self.lists.list_pointer[-1])
        return ShardCounts(int(self.sid[0]), int(self.sid[-1]), len(self.sid), n_hyps)

    @property
    def ids(self) -> Ids:
        """Ids of the shard's features (n_features,), ascending."""
        from campanula.stages.kernels.shards.gaps import ids_of

        ids = np.empty(self.n_features, np.int32)
        ids_of(self.gaps, ids)
        return ids

    def gathered(self, theta: Floats) -> Floats:
        """Return the entries (n_features,) of the shard's features in an array over all."""
        return self.own_sums(theta, with_gradient=False).pair.reshape(-1)

    def own_sums(self, theta: Floats, with_gradient: bool, buffer: Floats = NO_BUFFER) -> OwnSums:
        """Return the weights of the shard's features, with zero sums for a pass to add to.

        The arrays lie in `buffer` if that is large enough.
        """
        from campanula.stages.kernels.shards.gaps import gather_pairs

        size = self.n_features
        width = 1 + with_gradient
        if len(buffer) < size * width:
            buffer = np.empty(size * width)
        pair = buffer[: size * width].reshape(size, width)
        gather_pairs(self.gaps, theta, pair)
        if self.carrier >= 0:
            pair[self.carrier, 0] = 1.0
        return OwnSums(np.array([0.0, -np.inf]), pair)  # the value of no lists, as in Sums

    @property
    def n_entries(self) -> int:
        """Number of stored feature values."""
        lists = self.lists
        low, high = lists.binary_length, lists.binary_length_high
        binary = sum(int(a.sum(dtype=np.int64)) * b for a, b in ((low, 1), (high, 256)))
        return len(lists.dense) + len(lists.sparse_code) + binary


def entry_of(cache: str, checksum: str, references: References | None) -> str:
    """Return the folder in the cache for the shard of a stream with this checksum."""
    digest = "" if references is None else references.digest()
    sources = f"{__version__} {LAYOUT} {checksum} {digest}"
    return os.path.join(cache, "shards", xxh3_128_hexdigest(sources.encode()))


def stored(entry: str, name: str) -> PackedShard | str | None:
    """Return the shard of an entry, None if there is none, or the fault of a damaged one."""
    try:
        arrays = read_arrays(entry)
    except DamagedEntry as damaged:
        return str(damaged)
    return None if arrays is None else PackedShard.of(name, arrays)


def store(entry: str, arrays: Arrays) -> None:
    """Write an entry; raises DataError if that is impossible."""
    store_arrays(arrays, entry)
