"""Number the features of k-best lists by an inventory: their names are in a folder, once for all.

An inventory has the names of a feature space, their ids in the order in which they were met, and in
how many sentences each was seen (a feature that is not 0 in some hypothesis).  Lists against it
have ids alone.  What a corpus of tens of millions of features needs: names are in no memory.

    index-features a.kbest b.kbest --inventory F -o all.kbest     a new inventory, and the lists
    index-features c.kbest --extend F -o c.indexed.kbest          F grows by what is new in them
    index-features c.kbest --extend F --inventory G -o ...        F stays as it is; G begins with it

Ids once given never change: lists and weights against F before it grew are good afterwards.  Lists
are read one stream after the other; their sentences ascend throughout.  They have names, or are
against the inventory that --extend names or a prefix of it; every sentence that is read is counted,
those of lists by `decode --inventory`, which counted them, a second time.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from typing import Any

from campanula.formats.collections.collection import Collection, is_collection
from campanula.formats.collections.holding import check_header, held
from campanula.formats.collections.manifest import Shard
from campanula.formats.collections.opening import ListWriter
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import InventoryNames, NumberedNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.inventories.verifying import verify
from campanula.formats.messages import END_SIZE, parse_end
from campanula.formats.records.columns import shortened
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader, Writer
from campanula.stages import command
from campanula.stages.engines.engine_flags import (
    EngineSettings,
    add_engine_flags,
    engine_of_flags,
    open_engine,
)
from campanula.stages.inventories.gathering import GatheredNames, Translation
from campanula.stages.inventories.growing import Growing
from campanula.stages.inventories.shard_indexing import ShardIndexing
from campanula.stages.list_files import write_shards

COMMAND = "index-features"
EXAMPLE = (
    "index-features train.kbest --inventory features -o train.indexed.kbest\n"
    "  index-features more.kbest --extend features -o more.indexed.kbest"
)


def index_features(lists: Iterable[KBest], growing: Growing) -> Iterator[KBest]:
    """Yield every list with ids of a growing inventory, which counts its features.

    The lists have tables of names of their own, or ids of the inventory.
    """
    translation = Translation(growing)
    for kbest in lists:
        features = kbest.features
        if not isinstance(kbest.names, InventoryNames):
            features = features.translate(translation.ids_of(kbest.names))
        growing.see(features.present())
        yield replace(kbest, names=growing, features=features)


class Inputs:
    """Streams one after the other, and those of the shards of collections, as one.

    base: the inventory that lists may be against.  signature and metric are those of all.
    """

    def __init__(self, paths: Sequence[str], growing: Growing, base: Inventory | None) -> None:
        """Read the headers; raises DataError where the streams do not go together."""
        self._growing, self._base = growing, base
        self._streams = [stream for path in paths for stream in streams_of(path)]
        self._kept: dict[str, Reader[KBest]] = {}
        self.metric: Mapping[str, Any] | None = None
        self.signatures: list[str] = []
        for stream in self._streams:
            lists = self._open(stream)
            if os.path.isfile(stream.path):
                lists.__exit__(None)
            else:
                self._kept[stream.path] = lists  # nobody reads the header of a pipe twice
            self._check(lists)

    def _open(self, stream: Stream) -> Reader[KBest]:
        into = GatheredNames(self._growing)
        lists = Reader(stream.path, KBest, inventory=self._base, into=into)
        try:
            stream.check_header(lists)
            if isinstance(lists.names, NumberedNames):
                problem = f"is against inventory {lists.names.reference}: expected --extend with it"
                raise DataError(lists.name, None, problem)
        except DataError:
            lists.__exit__(None)
            raise
        return lists

    def _check(self, lists: Reader[KBest]) -> None:
        """Raise DataError for lists that were scored otherwise than the first."""
        if not self.signatures:
            self.metric = lists.metric
        if lists.metric != self.metric:
            first = display_name(self._streams[0].path)
            expected = f"expected the metric of {first}, {shortened(self.metric)}"
            raise DataError(lists.name, None, f"{expected}; found {shortened(lists.metric)}")
        self.signatures.append(lists.signature)

    def __iter__(self) -> Iterator[KBest]:
        last: KBest | None = None
        for stream in self._streams:
            with self._kept.get(stream.path) or self._open(stream) as lists:
                for kbest in stream.lists(lists):
                    if last is not None:
                        _check_order(kbest, last, lists.name)
                    last = kbest
                    yield kbest

    @property
    def total(self) -> int:
        """Number of records, as the ends of the streams say; raises DataError for a pipe."""
        return sum(n_records(stream.path) for stream in self._streams)


def _check_order(kbest: KBest, last: KBest, source: str) -> None:
    """Raise DataError for a list that cannot stand behind another in one stream."""
    if kbest.sid <= last.sid:
        problem = f"expected a sentence after {last.sid}, which came before; sentences ascend"
        raise DataError(source, f"sentence {kbest.sid}", problem)
    if kbest.n_stats != last.n_stats:
        problem = f"expected {last.n_stats} statistics a hypothesis as before"
        raise DataError(source, f"sentence {kbest.sid}", f"{problem}, found {kbest.n_stats}")


def n_records(path: str) -> int:
    """Number of a stream's records, of its end record; raises DataError where there is none."""
    if not os.path.isfile(path):
        problem = "--shards needs to know the number of sentences: expected a file, found a pipe"
        raise DataError(display_name(path), None, problem)
    with open(path, "rb") as file:
        file.seek(max(os.path.getsize(path) - END_SIZE, 0))
        end = parse_end(file.read())
    if end is None:
        problem = "expected an end record (--shards): it was cut off, or is compressed"
        raise DataError(path, None, problem)
    return end[0]


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream that is read, which may be a shard of a collection."""

    path: str
    collection: Collection | None = None
    shard: Shard | None = None

    def check_header(self, reader: Reader[KBest]) -> None:
        """Raise DataError for a shard that is not as its manifest says."""
        if self.collection is not None and self.shard is not None:
            check_header(reader, self.collection.manifest, self.shard)

    def lists(self, reader: Reader[KBest]) -> Iterator[KBest]:
        """The lists that its reader has; those of a shard as its manifest says."""
        return iter(reader) if self.shard is None else held(reader, self.shard)


def streams_of(path: str) -> list[Stream]:
    """The streams of a collection, which is checked, or the one that a path names."""
    of = Collection.open(path) if is_collection(path) else None
    return [Stream(path)] if of is None else [Stream(shard.path, of, shard) for shard in of.shards]


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, EXAMPLE)
    p.add_argument("inputs", nargs="+", metavar="input", help="k-best streams or collections")
    p.add_argument("--inventory", metavar="FOLDER", help="make this inventory")
    p.add_argument(
        "--extend",
        metavar="FOLDER",
        help="add to this inventory; with --inventory, to a copy of it",
    )
    p.add_argument(
        "--shards",
        type=command.positive_int,
        metavar="S",
        help="write a collection of S shards (default: one stream, of collections their shards)",
    )
    add_engine_flags(p)
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read, number, write; the inventory counts before the lists have their name."""
    command.one_stdin(*args.inputs)
    path, new = args.inventory or args.extend, args.inventory is not None
    if path is None:
        raise command.UsageError("expected --inventory, --extend or both")
    engine = engine_of_flags(args)
    in_shards = args.shards or engine or all(map(is_collection, args.inputs))
    if in_shards and args.output in (None, "-"):
        raise command.UsageError("a collection is a folder: name it with -o")
    if engine is not None and args.shards:
        raise command.UsageError("--engine dask keeps the shards that there are: no --shards")
    waits = partial(command.say, args, f"{COMMAND}: another process adds to {path}; waiting for it")
    with Growing(path, new, waits=waits) as growing:
        base = None if args.extend is None else Inventory.open(args.extend)
        if base is not None:
            verify(base)
        if new and base is not None:
            growing.take(base)
        known = len(growing)
        inputs = Inputs(args.inputs, growing, base)
        how = " + ".join(dict.fromkeys(inputs.signatures))
        signature = f"{command.signature(COMMAND)} < {how}"
        bounds = shard_bounds(args.inputs, inputs, args.shards)
        if engine is not None and bounds is None:
            raise command.UsageError("--engine dask takes collections: their shards are the tasks")
        lists = command.progress(index_features(inputs, growing), args, COMMAND)
        with writer(args.output, signature, inputs, growing, bounds is not None) as out:
            if engine is None:
                write_shards(lists, out, bounds or set())
            else:
                by_workers(args, engine, growing, out)
            growing.commit()
    found = f"{len(growing) - known} of {len(growing)} names are new"
    command.say(args, f"{COMMAND}: {out.count} sentences, {found}")


def shard_bounds(paths: Sequence[str], inputs: Inputs, shards: int | None) -> set[int] | None:
    """Numbers of records before which a shard begins; None where one stream is written.

    Of collections those are kept, unless `shards` as many sentences, give or take one, are asked
    for.
    """
    if shards:
        return {inputs.total * k // shards for k in range(1, shards)}
    if not all(map(is_collection, paths)):
        return None
    records = [shard.records for path in paths for shard in Collection.open(path).shards]
    return set(accumulate(records))


def writer(
    path: str | None, signature: str, inputs: Inputs, growing: Growing, in_shards: bool
) -> ListWriter[KBest]:
    """Writer of a stream or a collection, against the names that it will have come to."""

    def reference() -> InventoryReference:
        return growing.reference

    if path is None or not in_shards:
        return Writer(path, KBest, signature, inputs.metric, reference)
    return CollectionWriter(path, KBest, signature, inputs.metric, inventory=reference)


def by_workers(
    args: argparse.Namespace, engine: EngineSettings, growing: Growing, out: ListWriter[KBest]
) -> None:
    """Have the shards of collections indexed by workers."""
    assert isinstance(out, CollectionWriter)
    shards = [
        replace(shard, path=os.path.abspath(shard.path))
        for path in args.inputs
        for shard in Collection.open(path).shards
    ]
    base = None if args.extend is None else os.path.abspath(args.extend)
    with open_engine(engine, args.output) as (dask, folder):
        indexing = ShardIndexing(dask, folder, shards, base)
        indexing.write(indexing.grow(growing), out)


if __name__ == "__main__":
    raise SystemExit(main())
