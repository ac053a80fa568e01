"""Scored lists in shards, packed on disk and mapped, so that lists may exceed the memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.files import display_name
from campanula.formats.records.names import Names
from campanula.formats.text.references import References
from campanula.stages.tuning.chunks import refuse_gains_below_0
from campanula.stages.tuning.sharded.buffers import Buffers
from campanula.stages.tuning.sharded.store import PackedShard


class Passes(Protocol):
    """Passes over shards by other processes."""

    def passed(
        self, formula: Any, alpha: float, hopes: Any, theta: Floats, gradient: Floats
    ) -> Floats:
        """Return the value (2,) of a loss at theta; add its gradient to `gradient` unless empty."""
        ...


@dataclass(frozen=True, slots=True)
class ShardedSet:
    """Shards in order, their file and its checksum, and the metric that scored them.

    names (n_features,): names of the features, or numbers alone if no inventory is given; passes:
    passes by other processes, None: this process passes over the shards itself; buffers: arrays
    that passes reuse.
    """

    shards: Sequence[PackedShard]
    names: Names
    path: str
    checksum: str
    references: References | None = None
    scored_by: Mapping[str, object] | None = None
    passes: Passes | None = None
    buffers: Buffers = field(default_factory=Buffers, repr=False, compare=False)

    @property
    def n_lists(self) -> int:
        """Number of lists."""
        return sum(len(shard.sid) for shard in self.shards)

    @property
    def widest(self) -> int:
        """Number of features of the shard that has most."""
        return max(shard.n_features for shard in self.shards)

    @property
    def first(self) -> Ints:
        """Number of each shard's first list, and at the end that of all lists, (n_shards + 1,)."""
        return pointer_of([len(shard.sid) for shard in self.shards])

    @property
    def sid(self) -> Ints:
        """Number of each list's sentence (n_lists,)."""
        return np.concatenate([shard.sid for shard in self.shards])

    @property
    def size(self) -> Ints:
        """Number of hypotheses of each list (n_lists,)."""
        return np.concatenate([np.diff(shard.lists.list_pointer) for shard in self.shards])

    @property
    def n_entries(self) -> int:
        """Number of stored feature values."""
        return sum(shard.n_entries for shard in self.shards)

    def refuse_no_features(self) -> None:
        """Do nothing: features are numbered by the inventory, and lists without any are allowed."""

    def refuse_infinite(self, theta: Floats, whose: str) -> None:
        """Do nothing: every pass over shards refuses scores that overflow itself."""

    def refuse_gains_below_0(self) -> None:
        """Raise DataError for a gain below 0: the loss takes the logarithm of expected gains."""
        for shard in self.shards:
            gain, pointer = shard.lists.gain, shard.lists.list_pointer
            refuse_gains_below_0(gain, pointer, shard.sid, display_name(shard.name))
