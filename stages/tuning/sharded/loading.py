"""Load lists with ids of an inventory for passes: shards from the cache, or packed now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from campanula.formats.collections.checking import check_counts, check_header
from campanula.formats.collections.collection import Collection, is_collection
from campanula.formats.collections.manifest import Shard
from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import InventoryNames
from campanula.formats.inventories.lock import Lock
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.stream import Reader
from campanula.formats.text.references import References
from campanula.stages.metrics.scored_lists import sound
from campanula.stages.metrics.table import metric_of
from campanula.stages.parallel.threads import in_threads
from campanula.stages.tuning.sharded.packing import pack
from campanula.stages.tuning.sharded.sharded_set import ShardedSet
from campanula.stages.tuning.sharded.store import PackedShard, entry_of, store, stored


def refuse_names(names: Names, source: str) -> InventoryNames:
    """Return the names as an inventory's; raises DataError for lists with names of their own."""
    if not isinstance(names, InventoryNames):
        problem = "expected lists against an inventory (index-features), found lists with names"
        raise DataError(source, None, problem)
    return names


@dataclass(frozen=True, slots=True)
class Loader:
    """Loads packed shards; cache: the folder where they are kept; jobs: threads.

    say: called with a line for each damaged entry of the cache, which is packed again.
    """

    cache: str
    references: References | None = None
    inventory: Inventory | None = None
    jobs: int = 1
    say: Callable[[str], None] = lambda line: None

    def load(self, path: str) -> ShardedSet:
        """Load the lists of a path; raises DataError for a list without gains, and for no lists."""
        if is_collection(path):
            return self._collection(Collection.open(path))
        with Reader(path, KBest, inventory=self.inventory) as reader:
            refuse_names(reader.names, reader.name)
            arrays = pack(self._checked(reader), reader.name, self.references)
        shard = PackedShard.of(reader.name, arrays)
        if not len(shard.sid):
            raise DataError(reader.name, None, "expected k-best lists, found none")
        return ShardedSet(
            [shard], reader.names, path, reader.checksum, self.references, reader.metric
        )

    def _collection(self, collection: Collection) -> ShardedSet:
        with Reader(collection.shards[-1].path, KBest, inventory=self.inventory) as last:
            names = last.names  # the last shard has the longest prefix of the inventory

        def ready(shard: Shard) -> PackedShard:
            # the header alone: of a shard in the cache nothing else of the stream is read
            with Reader(shard.path, KBest, inventory=self.inventory) as reader:
                check_header(reader, collection.manifest, shard)
            packed = self.shard(shard.path, shard.checksum)
            # the cache's key is the stream alone; the collection may count its lists wrongly
            check_counts(shard, packed.counts)
            return packed

        shards = list(in_threads(ready, collection.shards, self.jobs, ahead=1))
        return ShardedSet(
            shards, names, collection.path, collection.digest, self.references, collection.metric
        )

    def shard(self, path: str, checksum: str) -> PackedShard:
        """Return a packed shard, from the cache if an undamaged entry is there.

        Raises DataError if the stream does not have this checksum any more.
        """
        entry = entry_of(self.cache, checksum, self.references)
        cached = stored(entry, path)
        if isinstance(cached, str):
            self.say(f"{entry}: damaged, and made again: {cached}")
        if isinstance(cached, PackedShard):
            return cached
        with Reader(path, KBest, inventory=self.inventory) as reader:
            # packed before the lock is taken, so that processes pack different shards at one time
            arrays = pack(self._checked(reader), reader.name, self.references)
        if reader.checksum != checksum:
            raise DataError(path, None, "expected the shard of the manifest: it has changed")
        with self._locked():
            cached = stored(entry, path)
            if isinstance(cached, PackedShard):  # another process was faster
                return cached
            store(entry, arrays)
            del arrays  # free the memory: the shard is mapped from disk now
            again = stored(entry, path)
        if not isinstance(again, PackedShard):
            raise DataError(entry, None, f"cannot be read again: {again}")
        return again

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Lock the cache, so that no process replaces an entry that another one has just mapped.

        On a file system without locks the block runs without a lock.
        """
        lock = None
        with suppress(DataError):
            lock = Lock(self.cache)
        try:
            yield
        finally:
            if lock is not None:
                lock.release()

    def _checked(self, reader: Reader[KBest]) -> Iterator[KBest]:
        """Yield the lists, with statistics checked against the metric of the stream."""
        return sound(reader, metric_of(reader.metric, reader.name), reader.name)
