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
from campanula.stages.tuning.sharded.inventory_ids import against_inventory
from campanula.stages.tuning.sharded.loading import Loader
from campanula.stages.tuning.sharded.packing import ShardPacker
from campanula.stages.tuning.sharded.sharded_set import ShardedSet
from campanula.stages.tuning.sharded.store import PackedShard

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
        """Read the lists of a stream or a collection.

        Packed shards of a collection against an inventory are taken from the cache, or kept there.
        say: as in Loader.  Raises DataError, and UsageError for --inventory and lists with names.
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
        # the objective is the logarithm of expected gain, and its counts are weighted by gains
        data.refuse_gains_below_0()
        return cls(data, BlockIds(data.names))

    @property
    def fires(self) -> Flags:
        """Mask (n_features,) of the features that occur in the lists."""
        fires = np.zeros(len(self.data.names), np.bool_)
        for shard in self.data.shards:
            fires[shard.ids] = True
        return fires

    def theta(self, path: str, allow_missing: bool) -> Floats:
        """Return the weights (n_features,) of a file; raises DataError for a missing one.

        Blocks may lack a weight; they have 0.
        """
        names = self.data.names
        if isinstance(names, Inventory):
            return WeightsById.read(path, names, display_name(self.data.path)).theta
        weights = Weights.read(path)
        if not allow_missing:
            weights.refuse_unknown(names, display_name(self.data.path))
        # NaN tells a weight that is not given from one that is 0
        theta = weights.vector(names, np.nan)
        missing = np.isnan(theta)
        asked = np.flatnonzero(missing & ~self.blocks.are_blocks())
        if len(asked) and not allow_missing:
            problem = "expected a weight, found none (--allow-missing takes 0)"
            raise DataError(weights.source, f"feature {names[int(asked[0])]!r}", problem)
        theta[missing] = 0.0
        return theta

    def rows(self, table: str) -> PhraseRows:
        """Return the rows of a phrase table; raises DataError for a block that has no row.

        Copied unknown words need no row.
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
        """Return both channels of a table at the start, under weights theta (n_features,)."""
        ids = self.blocks.ids_of(list(NAMES))
        occurs = ids >= 0
        occurs[occurs] = self.fires[ids[occurs]]
        if not occurs.all():
            name = NAMES[int(np.argmin(occurs))]
            lists = display_name(self.data.path)
            raise DataError(lists, None, f"expected the dense feature {name}, found none")
        weight = theta[ids].tolist()
        if not any(weight):
            problem = f"expected a weight of {' or '.join(NAMES)} other than 0, found none"
            raise DataError(display_name(self.data.path), None, problem)
        norms = [norm_of(rows, side, filtered, display_name(table)) for side in (0, 1)]
        f, e = (Channel.of(rows, side, weight[side], norms[side]) for side in (0, 1))
        return f, e


def _packed(path: str) -> ShardedSet:
    """Read lists with names into memory, PART lists a shard."""
    with open_lists(path, KBest) as reader:
        lists = sound(reader, metric_of(reader.metric, reader.name), reader.name)
        shards = list(_parts(lists, reader.name))
    if not shards:
        raise DataError(reader.name, None, "expected k-best lists, found none")
    names: Names = reader.names
    return ShardedSet(shards, names, path, reader.checksum, None, reader.metric)


def _parts(lists: Iterator[KBest], source: str) -> Iterator[PackedShard]:
    packer = ShardPacker()
    count = 0
    for kbest in lists:
        packer.add(kbest, source, None)
        count += 1
        if count == PART:
            yield PackedShard.of(source, packer.arrays())
            packer = ShardPacker()
            count = 0
    if count:
        yield PackedShard.of(source, packer.arrays())
