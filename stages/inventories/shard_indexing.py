"""Features of the lists of a collection numbered by workers; the ids are those of one process.

    names     a task for each shard: its names in their order, and the number of its sentences that
              have each
    growth    in this process, in the order of the shards: the inventory takes the names of each
    numbers   a task for each shard: its lists with the ids that its names have got

Ids depend on the shards and their order alone.  Shards against the inventory that is extended have
ids already, and give only counts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from campanula.formats.arrays.types import Ids
from campanula.formats.atomic import atomic_file, temporary_folder
from campanula.formats.collections.checking import checked_records
from campanula.formats.collections.manifest import COUNTS, Shard
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import InventoryNames, NumberedNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.raw_arrays import write_raw_arrays
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader
from campanula.stages.engines.result import value_of
from campanula.stages.engines.shards import Engine, adopted, write_shard
from campanula.stages.engines.task import Task, task
from campanula.stages.inventories.gathering import GatheredNames
from campanula.stages.inventories.growing import Growing

NAMES = f"{__name__}:gather"
NUMBERS = f"{__name__}:number"
TITLE = "index-features"


@dataclass(frozen=True, slots=True)
class ShardIndexing:
    """Shards to index on an engine; folder: gets the results of its tasks.

    base: path of the inventory that lists may be against, or None.
    """

    engine: Engine
    folder: str
    shards: Sequence[Shard]
    base: str | None = None

    def grow(self, growing: Growing, counts: bool = True) -> list[tuple[str, InventoryReference]]:
        """Add the names of all shards; return for each the file of their ids and the reference.

        The reference is to the inventory after the shard.  counts: whether sentences are counted.
        Raises DataError for shards that cannot follow each other.
        """
        _check_order(self.shards)
        of_shards: list[tuple[str, InventoryReference]] = []
        n_stats: int | None = None
        tasks = [self._task(NAMES, shard, {}, [], ".npz") for shard in self.shards]
        for shard, path in zip(self.shards, self.engine.run(tasks, TITLE), strict=True):
            with np.load(path, allow_pickle=False) as gathered:
                ids = growing.ids(gathered["text"], gathered["pointer"])
                if counts:
                    growing.see_all(ids, gathered["count"], int(gathered["sentences"]))
                    # 0 sentences: those of the shard are counted by the line above, whichever ids
                    # their lists have
                    growing.see_all(gathered["ids"], gathered["id_count"], 0)
            reference = growing.reference
            # the digest: ids depend on the names that the inventory had before this shard
            place = f"{path}.{reference.digest}.ids"
            with atomic_file(place) as unfinished:
                write_raw_arrays(unfinished, ids)
            of_shards.append((place, reference))
            width = value_of(path)
            n_stats = width if n_stats is None else n_stats
            if width != n_stats:
                problem = f"expected {n_stats} statistics a hypothesis as before, found {width}"
                raise DataError(shard.path, f"sentence {shard.first}", problem)
        return of_shards

    def write(
        self, grown: Sequence[tuple[str, InventoryReference]], out: CollectionWriter[KBest]
    ) -> None:
        """Write every shard with the ids of its names; grown: the result of `grow`."""
        metric = None if out.metric is None else dict(out.metric)
        tasks = []
        for shard, (ids, reference) in zip(self.shards, grown, strict=True):
            header = {"signature": out.signature, "metric": metric, "reference": reference.pack()}
            # the path of the ids does not determine the bytes: the reference in the header does
            more = {**header, "ids": ids}
            tasks.append(self._task(NUMBERS, shard, more, header, ".kbest"))
        for _ in adopted(self.engine, tasks, TITLE, out):
            pass

    def _task(
        self,
        function: str,
        shard: Shard,
        more: Mapping[str, Any],
        determined_by: object,
        suffix: str,
    ) -> Task:
        counts = {name: getattr(shard, name) for name in COUNTS}
        stream = {"stream": shard.path, "checksum": shard.checksum, "base": self.base, **counts}
        made_of = [shard.checksum, counts, determined_by]
        arguments = {**stream, **more}
        return task(self.folder, TITLE, function, arguments, made_of, suffix, near=shard.path)


def gather(arguments: Mapping[str, Any], output: str) -> int:
    """Write the names of a shard and in how many sentences each occurs: the function of a task.

    Returns the number of statistics of a hypothesis.
    """
    with temporary_folder() as folder, Growing(os.path.join(folder, "names"), True) as growing:
        by_id = [np.zeros(0, np.int32)]  # features of lists that are against the inventory
        n_stats = sentences = 0
        for kbest, ids in _lists(arguments, growing):
            present = kbest.features.present()
            if ids is None:
                by_id.append(present)
            else:
                growing.see(ids[present])
            sentences += 1
            n_stats = kbest.n_stats
        growing.commit()
        names = Inventory.open(growing.path)
        text, pointer = names.texts(0, len(names))
        distinct, count = np.unique(np.concatenate(by_id), return_counts=True)
        with open(output, "wb") as file:
            np.savez(
                file,
                text=text,
                pointer=pointer,
                count=names.count,
                ids=distinct,
                id_count=count,
                sentences=np.int64(sentences),
            )
    return n_stats


def number(arguments: Mapping[str, Any], output: str) -> dict[str, Any]:
    """Write the lists of a shard with ids of the inventory: the function of a task."""
    reference = InventoryReference.unpack(arguments["reference"], arguments["stream"])
    names = NumberedNames(reference, arguments["stream"])
    number_of = np.fromfile(arguments["ids"], np.int32)
    with temporary_folder() as folder, Growing(os.path.join(folder, "names"), True) as growing:

        def numbered() -> Iterator[KBest]:
            for kbest, ids in _lists(arguments, growing):
                features = kbest.features
                if ids is not None:
                    # the shard is read as `gather` read it, so its names have the same numbers as
                    # there
                    features = features.translate(number_of[ids])
                yield replace(kbest, names=names, features=features)

        header = arguments["signature"], arguments["metric"], reference
        return write_shard(output, numbered(), KBest, *header)


def _lists(arguments: Mapping[str, Any], growing: Growing) -> Iterator[tuple[KBest, Ids | None]]:
    """Yield the lists of a shard, each with the ids in `growing` of its stream's names so far.

    For lists with ids of the inventory the second is None.  Raises DataError for a shard that
    differs from its manifest.
    """
    base = None if arguments["base"] is None else Inventory.open(arguments["base"])
    table = GatheredNames(growing)
    with Reader(arguments["stream"], KBest, inventory=base, into=table) as lists:
        counts = {name: arguments[name] for name in COUNTS}
        shard = Shard(path=arguments["stream"], checksum=arguments["checksum"], **counts)
        for kbest in checked_records(lists, shard):
            yield kbest, None if isinstance(kbest.names, InventoryNames) else table.ids


def _check_order(shards: Sequence[Shard]) -> None:
    for one, other in pairwise(shards):
        if other.first <= one.last:
            problem = f"expected a sentence after {one.last}, which came before; sentences ascend"
            raise DataError(other.path, f"sentence {other.first}", problem)
