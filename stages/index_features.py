"""Number the features of k-best lists by an inventory: a folder has their names, lists have ids.

An inventory has the names of a feature space, with ids in the order in which they were met, and the
number of sentences that have each (a feature that is not 0 in some hypothesis).  Lists against an
inventory have ids alone, so that tens of millions of names need no memory.

    index-features a.kbest b.kbest --inventory F -o all.kbest     a new inventory, and the lists
    index-features c.kbest --extend F -o c.indexed.kbest          F grows by what is new in them
    index-features c.kbest --extend F --inventory G -o ...        F stays as it is; G begins with it
    index-features d.kbest --shards 8 -o d.lists                  lists against any, in other shards

Ids never change: lists and weights against F before it grew stay valid.  Lists are read one stream
after the other; their sentences ascend throughout.  They have names, or are against the inventory
that --extend names or a prefix of it.  Every sentence that is read is counted, unless --no-count
says that it has been, as those of `decode --inventory` have.  With --shards alone all lists are
against one inventory already, which is neither needed nor changed.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate

from campanula.formats.collections.collection import Collection, is_collection
from campanula.formats.collections.opening import ListWriter
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import InventoryNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.inventories.verifying import verify
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Writer
from campanula.stages import command
from campanula.stages.engines.engine_flags import add_engine_flags, engine_of_flags, open_engine
from campanula.stages.engines.engine_settings import EngineSettings
from campanula.stages.inventories.gathering import Translation
from campanula.stages.inventories.growing import Growing
from campanula.stages.inventories.inputs import StreamInputs
from campanula.stages.inventories.shard_indexing import ShardIndexing
from campanula.stages.outputs.list_files import write_shards

COMMAND = "index-features"
EXAMPLE = (
    "index-features train.kbest --inventory features -o train.indexed.kbest\n"
    "  index-features more.kbest --extend features -o more.indexed.kbest"
)


def index_features(
    lists: Iterable[KBest], growing: Growing, counts: bool = True
) -> Iterator[KBest]:
    """Yield every list with ids of a growing inventory; with `counts` the inventory counts them.

    The lists have names of their own, or ids of the inventory already.
    """
    translation = Translation(growing)
    for kbest in lists:
        features = kbest.features
        if not isinstance(kbest.names, InventoryNames):
            features = features.translate(translation.ids_of(kbest.names))
        if counts:
            growing.see(features.present())
        yield replace(kbest, names=growing, features=features)


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
    p.add_argument(
        "--no-count",
        action="store_true",
        help="add names, but count no sentence: for lists that were counted when they were made",
    )
    add_engine_flags(p)
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read the lists, number their features, write them.

    The inventory is committed before the lists are renamed into place: lists never have ids that
    their inventory lacks.
    """
    command.one_stdin(*args.inputs)
    path = args.inventory or args.extend
    engine = engine_of_flags(args)
    # without an inventory nothing is counted or named: cutting into other shards is all that is
    # left
    if path is None and (args.no_count or not args.shards):
        others = "or --shards alone, for lists that are against an inventory already"
        raise command.UsageError(f"expected --inventory, --extend or both; {others}")
    in_shards = args.shards or engine or all(map(is_collection, args.inputs))
    if in_shards and args.output in (None, "-"):
        raise command.UsageError("a collection is a folder: name it with -o")
    if engine is not None and args.shards:
        raise command.UsageError("--engine dask keeps the shards of the inputs: drop --shards")
    if path is None:
        summary = recut(args)
    else:
        message = f"{COMMAND}: another process adds to {path}; waiting for it"
        waits = partial(command.say, args, message)
        with Growing(path, args.inventory is not None, waits=waits) as growing:
            summary = index(args, engine, growing)
    command.say(args, f"{COMMAND}: {summary}")


def index(args: argparse.Namespace, engine: EngineSettings | None, growing: Growing) -> str:
    """Write lists against a growing inventory; return the summary."""
    base = None if args.extend is None else Inventory.open(args.extend)
    if base is not None:
        # byte by byte before it is extended: a damaged name would be given to all lists after
        verify(base)
    if args.inventory is not None and base is not None:
        growing.take(base)
    n_before = len(growing)
    inputs = StreamInputs(args.inputs, growing, base)
    bounds = shard_bounds(args.inputs, inputs, args.shards)
    if engine is not None and bounds is None:
        raise command.UsageError("--engine dask takes collections: their shards are the tasks")
    counts = not args.no_count
    lists = command.progress(index_features(inputs, growing, counts), args, COMMAND)
    with writer(args.output, inputs, lambda: growing.reference, bounds is not None) as out:
        if engine is None:
            write_shards(lists, out, bounds or set())
        else:
            by_workers(args, engine, growing, out)
        # an inventory that gets neither names nor counts stays as it is, byte for byte
        if counts or args.inventory is not None or len(growing) > n_before:
            growing.commit()
    new = f"{len(growing) - n_before} of {len(growing)} names are new"
    return f"{out.count} sentences, {new}"


def recut(args: argparse.Namespace) -> str:
    """Write lists against an inventory in other shards; return the summary."""
    inputs = StreamInputs(args.inputs)
    bounds = shard_bounds(args.inputs, inputs, args.shards)
    lists = command.progress(inputs, args, COMMAND)
    with writer(args.output, inputs, lambda: inputs.reference, True) as out:
        write_shards(lists, out, bounds or set())
    return f"{out.count} sentences, against inventory {inputs.reference}"


def shard_bounds(paths: Sequence[str], inputs: StreamInputs, shards: int | None) -> set[int] | None:
    """Return the numbers of records before which a shard begins; None where one stream is written.

    The shards of collections are kept unless `shards` is given; then there are so many, with
    numbers of sentences that differ by one at most.
    """
    if shards:
        # rounded down, so shards differ by one at most
        return {inputs.total * k // shards for k in range(1, shards)}
    if not all(map(is_collection, paths)):
        return None
    records = [shard.records for path in paths for shard in Collection.open(path).shards]
    return set(accumulate(records))


def writer(
    path: str | None,
    inputs: StreamInputs,
    reference: Callable[[], InventoryReference],
    in_shards: bool,
) -> ListWriter[KBest]:
    """Return the writer of a stream or a collection.

    reference: called at the end, when the inventory has all names.
    """
    signature = command.signature(COMMAND, *inputs.signatures)
    if path is None or not in_shards:
        return Writer(path, KBest, signature, inputs.metric, reference)
    return CollectionWriter(path, KBest, signature, inputs.metric, inventory=reference)


def by_workers(
    args: argparse.Namespace, engine: EngineSettings, growing: Growing, out: ListWriter[KBest]
) -> None:
    """Number the features of the shards of collections on workers."""
    assert isinstance(out, CollectionWriter)
    shards = [
        replace(shard, path=os.path.abspath(shard.path))
        for path in args.inputs
        for shard in Collection.open(path).shards
    ]
    base = None if args.extend is None else os.path.abspath(args.extend)
    with open_engine(engine, args.output) as (dask, folder):
        indexing = ShardIndexing(dask, folder, shards, base)
        indexing.write(indexing.grow(growing, not args.no_count), out)


if __name__ == "__main__":
    raise SystemExit(main())
