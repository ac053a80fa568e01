"""Merge k-best streams by sentence into one.

A list of the result has the hypotheses of all inputs' lists of that sentence, in the order of the
inputs.  Of hypotheses with the same text and the same feature vector, exactly and by feature name,
the first is kept.  An input need not have every sentence.

Scores stay as they are, each under the weights of its own time; they and other columns are kept
where all lists of a sentence have them.  Gains must be in all inputs or in none, by one metric.

Collections are merged shard by shard: all inputs are, and have shards of the same sentences.
Inputs are against one inventory, or all have names; --inventory is needed where one is against a
shorter prefix of it than another.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from heapq import merge
from operator import attrgetter
from typing import TypeVar

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.collections.opening import OpenedLists, open_lists, shard_by_shard
from campanula.formats.collections.reader import CollectionReader
from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory_names import InventoryNames, NumberedNames
from campanula.formats.inventories.reference import common
from campanula.formats.records.columns import shortened
from campanula.formats.records.duplicates import first_occurrences
from campanula.formats.records.features import Features
from campanula.formats.records.joining import join_features, join_fields, join_texts
from campanula.formats.records.kbest import KBest
from campanula.formats.records.matching import common_id
from campanula.formats.records.names import Names
from campanula.stages import command
from campanula.stages.command_line.inventory_flags import add_inventory_flag, given_inventory
from campanula.stages.metrics.table import metric_of
from campanula.stages.outputs.list_files import writer_for

COMMAND = "merge-kbest"
Column = TypeVar("Column", Floats, Ints)


def merge_kbest(
    streams: Sequence[Iterable[KBest]], inventory: InventoryNames | None = None
) -> Iterator[KBest]:
    """Yield the merged list of every sentence that any stream has; sids ascend in all streams.

    inventory: the names of streams that are all against one, else None.
    """
    names = Names() if inventory is None else inventory
    lists = merge(*streams, key=attrgetter("sid"))  # stable: equal sids in the order of streams
    for sid, of_sentence in itertools.groupby(lists, attrgetter("sid")):
        joined = join(sid, list(of_sentence), names)
        yield joined.take(first_occurrences(joined))


def join(sid: int, lists: Sequence[KBest], names: Names) -> KBest:
    """Return the lists of one sentence joined into one, with ids of the table `names`."""
    _check_gains(sid, lists)
    name = common_id(lists[0], lists[1:], "inputs")
    # a text field that some lists lack has no text for their hypotheses
    shared = set.intersection(*({*kbest.fields} for kbest in lists))
    fields = [{key: kbest.fields[key] for key in kbest.fields if key in shared} for kbest in lists]
    features = [_numbered(kbest, names) for kbest in lists]
    return KBest(
        sid,
        join_texts([kbest.text for kbest in lists]),
        join_features(features),
        names,
        _column([kbest.score for kbest in lists]),
        _column([kbest.stats for kbest in lists]),
        _column([kbest.gain for kbest in lists]),
        join_fields(fields, [len(kbest) for kbest in lists]),
        name,
    )


def _numbered(kbest: KBest, names: Names) -> Features:
    """Return the features of a list with ids of `names`; ids of an inventory stay as they are."""
    if isinstance(names, InventoryNames):
        return kbest.features
    return kbest.features.translate(names.ids_of(kbest.names))


def _column(columns: Sequence[Column | None]) -> Column | None:
    """Return the lists' columns joined, or None where a list lacks the column."""
    present = [column for column in columns if column is not None]
    return np.concatenate(present) if len(present) == len(columns) else None


def _check_gains(sid: int, lists: Sequence[KBest]) -> None:
    """Raise DataError where only some lists of a sentence have gains, or statistics differ."""
    with_gain = sum(kbest.gain is not None for kbest in lists)
    if with_gain not in (0, len(lists)) or len({_n_stats(kbest) for kbest in lists}) > 1:
        problem = f"expected gains in all lists or in none, found them in {with_gain}"
        raise DataError("inputs", f"sentence {sid}", f"{problem} of {len(lists)}")


def _n_stats(kbest: KBest) -> int:
    return 0 if kbest.stats is None else kbest.stats.shape[1]


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, "merge-kbest run1.kbest run2.kbest -o all.kbest")
    p.add_argument("inputs", nargs="+", metavar="input", help="k-best streams, or collections")
    add_inventory_flag(p)
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read all inputs at once, merge, write."""
    paths: list[str] = args.inputs
    command.one_stdin(*paths)
    with ExitStack() as stack:
        given = given_inventory(args)
        opened = (open_lists(path, KBest, inventory=given, by_shard=True) for path in paths)
        inputs: list[OpenedLists[KBest]] = [stack.enter_context(lists) for lists in opened]
        refuse_other_metrics(inputs)
        inventories = {lists.name: lists.inventory for lists in inputs}
        reference = common(inventories, prefixes=given is not None)
        names = None if reference is None else given or NumberedNames(reference)
        first = common_shards(inputs)
        signature = command.signature(COMMAND, *(lists.signature for lists in inputs))
        metric = inputs[0].metric
        writer = writer_for(inputs[0], args.output, KBest, signature, metric, first, reference)
        out = stack.enter_context(writer)
        kept = 0
        for kbest in command.progress(merge_shards(inputs, names), args, COMMAND):
            out.write(kbest)
            kept += len(kbest)
    command.say(args, f"{COMMAND}: {kept} hypotheses of {out.count} sentences")


def merge_shards(
    inputs: Sequence[OpenedLists[KBest]], inventory: InventoryNames | None = None
) -> Iterator[KBest]:
    """Yield the merged lists; each shard has a table of names of its own, or the inventory's."""
    for shards in zip(*map(shard_by_shard, inputs), strict=True):
        yield from merge_kbest(shards, inventory)


def common_shards(inputs: Sequence[OpenedLists[KBest]]) -> list[int]:
    """Return the first sentence of every shard that the inputs have in common, none for streams.

    A sentence may be missing in some inputs.  Raises DataError for collections whose shards are
    not of the same sentences, and for a stream beside a collection.
    """
    collections = [lists for lists in inputs if isinstance(lists, CollectionReader)]
    for lists in inputs:
        if collections and not isinstance(lists, CollectionReader):
            problem = f"expected a collection, as {collections[0].name} is, found a stream"
            raise DataError(lists.name, None, problem)
    for other in collections:
        if len(other.spans) != len(collections[0].spans):
            expected = f"expected {len(collections[0].spans)} shards, as {collections[0].name} has"
            raise DataError(other.name, None, f"{expected}, found {len(other.spans)}")
    first = []
    last = -1
    before = ""
    for number, spans in enumerate(zip(*(c.spans for c in collections), strict=True)):
        starts = [(start, c.name) for (start, _), c in zip(spans, collections, strict=True)]
        # a sentence may be missing in some inputs, so a shard begins with the first that any has
        start, name = min(starts)
        if start <= last:
            problem = f"expected sentences after {last}, which {before} has in the shard before"
            raise DataError(name, f"shard {number}", f"{problem}, found {start}")
        first.append(start)
        ends = [(end, c.name) for (_, end), c in zip(spans, collections, strict=True)]
        # and ends with the last that any has, behind which the next shard must begin
        last, before = max(ends)
    return first


def refuse_other_metrics(inputs: Sequence[OpenedLists[KBest]]) -> None:
    """Raise DataError for an input whose gains are of another metric than the first one's."""
    first = inputs[0]
    for lists in inputs[1:]:
        if lists.metric != first.metric:
            expected = f"expected the metric of {first.name}, {in_words(first)}"
            raise DataError(lists.name, None, f"{expected}; found {in_words(lists)}")


def in_words(lists: OpenedLists[KBest]) -> str:
    """Return a stream's metric in words; raises DataError for settings that it cannot have."""
    if lists.metric is None:
        return "none: it is not scored"
    return str(metric_of(lists.metric, lists.name) or shortened(lists.metric.get("name")))


if __name__ == "__main__":
    raise SystemExit(main())
