"""Scored lists for growth transformation, with names or against an inventory, packed for passes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Flags, Floats
from campanula.formats.collections.opening import open_lists
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.weights import Weights
from campanula.stages.command import UsageError
from campanula.stages.growth.block_names import BlockIds, is_copy
from campanula.stages.growth.channel import Channel, norm_of
from campanula.stages.growth.phrase_rows import NAMES, PhraseRows, RowReader
from campanula.stages.inventories.weights_by_id import WeightsById
from campanula.stages.metrics.scored_lists import sound
from campanula.stages.metrics.table import metric_of
from campanula.stages.tuning.sharded.loading import Loader
from campanula.stages.tuning.sharded.packing import ShardPacker
from campanula.stages.tuning.sharded.sharded_set import ShardedSet
from campanula.stages.tuning.sharded.store import PackedShard
from campanula.stages.tuning.sharded.telling import against_inventory

PART = 4096  # lists with names that are packed together


@dataclass(frozen=True, slots=True)
class GrowthLists:
    """Packed lists (`data`), and the blocks among their features."""

    data: ShardedSet
    blocks: BlockIds

    @classmethod
    def read(
        cls,
        path: str,
        inventory: str | None,
        cache: str,
        jobs: int = 1,
        say: Callable[[str], None] = lambda line: None,
    ) -> GrowthLists:
        """Lists of a stream or a collection; raises DataError, and UsageError for an inventory that
        they are not against.

        Shards of a collection against the inventory come from the cache, or go there; say: as in
        Loader.
        """
        if against_inventory(path, if_piped=inventory is not None):
            names = None if inventory is None else Inventory.open(inventory)
            data = Loader(cache, None, names, jobs, say).load(path)
            if not isinstance(data.names, Inventory):
                problem = "is against an inventory: expected --inventory, for its names"
                raise DataError(display_name(path), None, problem)
        else:
            if inventory is not None:
                raise UsageError("--inventory is for lists against an inventory (index-features)")
            data = _packed(path)
        data.refuse_gains_below_0()
        return cls(data, BlockIds(data.names))

    @property
    def fires(self) -> Flags:
        """Mask (n_features,) of what is in the lists."""
        fires = np.zeros(len(self.data.names), np.bool_)
        for shard in self.data.shards:
            fires[shard.ids] = True
        return fires

    def theta(self, path: str, allow_missing: bool) -> Floats:
        """Weights (n_features,) of a file; blocks without one have 0.  Raises DataError."""
        names = self.data.names
        if isinstance(names, Inventory):
            return WeightsById.read(path, names, display_name(self.data.path)).theta
        weights = Weights.read(path)
        if not allow_missing:
            weights.refuse_unknown(names, display_name(self.data.path))
        theta = weights.vector(names, np.nan)
        missing = np.isnan(theta)
        asked = np.flatnonzero(missing & ~self.blocks.are_blocks())
        if len(asked) and not allow_missing:
            problem = "expected a weight, found none (--allow-missing takes 0)"
            raise DataError(weights.source, f"feature {names[int(asked[0])]!r}", problem)
        theta[missing] = 0.0
        return theta

    def rows(self, table: str) -> PhraseRows:
        """Rows of a phrase table; raises DataError where blocks of the lists have none.

        Unknown words that were copied need none.
        """
        fires = self.fires
        rows = RowReader(self.blocks, fires).read(table)
        left = fires & self.blocks.are_blocks()
        left[rows.fired_feature] = False
        names = (self.blocks.names[number] for number in np.flatnonzero(left).tolist())
        missing = [name for name in names if not is_copy(name)]
        if missing:
            problem = f"expected a row for each block of {display_name(self.data.path)}"
            problem += f", found none for {missing[0]}"
            others = f" and {len(missing) - 1} more" if missing[1:] else ""
            raise DataError(display_name(table), None, problem + others)
        if not len(rows.fired):
            problem = "expected blocks of this table in the lists (decode --features block)"
            raise DataError(display_name(self.data.path), None, f"{problem}, found none")
        return rows

    def channels(
        self, rows: PhraseRows, theta: Floats, filtered: bool, table: str
    ) -> tuple[Channel, Channel]:
        """Both channels of a table under weights theta (n_features,), as they start."""
        ids = self.blocks.ids_of(list(NAMES))
        there = ids >= 0
        there[there] = self.fires[ids[there]]
        if not there.all():
            name, lists = NAMES[int(np.argmin(there))], display_name(self.data.path)
            raise DataError(lists, None, f"expected the dense feature {name}, found none")
        weight = theta[ids].tolist()
        if not any(weight):
            problem = f"expected a weight of {' or '.join(NAMES)} other than 0, found none"
            raise DataError(display_name(self.data.path), None, problem)
        norms = [norm_of(rows, side, filtered, display_name(table)) for side in (0, 1)]
        f, e = (Channel.of(rows, side, weight[side], norms[side]) for side in (0, 1))
        return f, e


def _packed(path: str) -> ShardedSet:
    """Lists with names, some thousands a shard, in memory."""
    with open_lists(path, KBest) as reader:
        lists = sound(reader, metric_of(reader.metric, reader.name), reader.name)
        shards = list(_parts(lists, reader.name))
    if not shards:
        raise DataError(reader.name, None, "expected k-best lists, found none")
    names: Names = reader.names
    return ShardedSet(shards, names, path, reader.checksum, None, reader.metric)


def _parts(lists: Iterator[KBest], source: str) -> Iterator[PackedShard]:
    packer, count = ShardPacker(), 0
    for kbest in lists:
        packer.add(kbest, source, None)
        count += 1
        if count == PART:
            yield PackedShard.of(source, packer.arrays())
            packer, count = ShardPacker(), 0
    if count:
        yield PackedShard.of(source, packer.arrays())
