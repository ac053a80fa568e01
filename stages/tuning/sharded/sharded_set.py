"""Scored lists by the shard, packed and mapped: as much data as the disk holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.records.names import Names
from campanula.formats.text.references import References
from campanula.stages.tuning.sharded.rooms import Rooms
from campanula.stages.tuning.sharded.store import PackedShard


class Passes(Protocol):
    """How passes over shards are done elsewhere."""

    def passed(
        self, formula: Any, alpha: float, hopes: Any, theta: Floats, gradient: Floats
    ) -> Floats:
        """The value (2,) of a loss at theta; adds its gradient, unless that has no entries."""
        ...


@dataclass(frozen=True, slots=True)
class ShardedSet:
    """Shards in order, what they are of, and the metric by which they were scored.

    names (n_features,): of the features, by number alone where no inventory is given; passes: by
    whom they are done, None: by this process.
    """

    shards: Sequence[PackedShard]
    names: Names
    path: str
    checksum: str
    references: References | None = None
    scored_by: Mapping[str, object] | None = None
    passes: Passes | None = None
    rooms: Rooms = field(default_factory=Rooms, repr=False, compare=False)

    @property
    def n_lists(self) -> int:
        """Number of lists."""
        return sum(len(shard.sid) for shard in self.shards)

    @property
    def widest(self) -> int:
        """Features of the shard that has most."""
        return max(shard.n_features for shard in self.shards)

    @property
    def first(self) -> Ints:
        """Number of each shard's first list, and that of all lists (n_shards + 1,)."""
        return pointer_of([len(shard.sid) for shard in self.shards])

    @property
    def sid(self) -> Ints:
        """Numbers of the sentences (n_lists,)."""
        return np.concatenate([shard.sid for shard in self.shards])

    @property
    def size(self) -> Ints:
        """Hypotheses of each list (n_lists,)."""
        return np.concatenate([np.diff(shard.lists.list_pointer) for shard in self.shards])

    @property
    def n_entries(self) -> int:
        """Number of stored feature values."""
        return sum(shard.n_entries for shard in self.shards)

    def refuse_no_features(self) -> None:
        """Lists against an inventory may have features that nobody knows by name; none is fine."""

    def refuse_infinite(self, theta: Floats, whose: str) -> None:
        """A pass refuses scores that overflow by itself."""

    def refuse_gains_below_0(self) -> None:
        """Raise DataError for a gain below 0: an expected gain has to have a logarithm."""
        for shard in self.shards:
            lists = shard.lists
            below = np.flatnonzero(lists.gain < 0.0)
            if len(below):
                i = int(np.searchsorted(lists.list_pointer, below[0], "right")) - 1
                problem = "expected gains of at least 0, since their mean has a logarithm, found"
                problem += f" {lists.gain[below[0]]:.6g} (the loss bayes-risk takes any)"
                raise DataError(display_name(shard.name), f"sentence {shard.sid[i]}", problem)
