"""Lists scored on workers, a shard a task; the bytes are those of one process.

A worker reads the references once, and keeps them for its next shard.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from itertools import islice
from typing import Any

from campanula.formats.collections.reader import CollectionReader
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.errors import DataError
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.kbest import KBest
from campanula.formats.records.matching import matched
from campanula.formats.text.form_differences import ENOUGH
from campanula.formats.text.references import References
from campanula.stages.command_line.text_flags import TextForm
from campanula.stages.engines.engine_flags import received_flags
from campanula.stages.engines.shards import (
    Engine,
    adopted,
    open_shard,
    shard_arguments,
    write_shard,
)
from campanula.stages.engines.task import task
from campanula.stages.metrics.flags import metric_flags
from campanula.stages.metrics.likeness import Likeness
from campanula.stages.metrics.scored_lists import with_references
from campanula.stages.metrics.scoring import Scorer
from campanula.stages.metrics.summary import Summary

PATHS = ("input", "ref", "meteor_wordnet")
"""Flags of score-bleu that name files which workers read."""

FUNCTION = f"{__name__}:score_shard"
_building = threading.Lock()


def score_shards(
    engine: Engine,
    folder: str,
    flags: Mapping[str, Any],
    lists: CollectionReader[KBest],
    references: References,
    out: CollectionWriter[KBest],
) -> Iterator[dict[str, Any]]:
    """Score a collection; yield the counts of each shard (Summary.counts).

    folder: gets the results of tasks.  flags: those of score-bleu as they are sent to workers.
    Raises DataError as the command does.
    """
    inventory = None if lists.inventory is None else lists.inventory.pack()
    common = {
        "flags": dict(flags),
        "references": references.digest(),
        "signature": out.signature,
        "inventory": inventory,
    }
    tasks = [
        task(
            folder,
            "score-bleu",
            FUNCTION,
            {**shard_arguments(lists.collection, number), **common},
            [out.signature, out.metric, shard.checksum, inventory],
            ".kbest",
            near=shard.path,
        )
        for number, shard in enumerate(lists.collection.shards)
    ]
    for value in adopted(engine, tasks, "score-bleu", out):
        yield value["summary"]


def score_shard(arguments: Mapping[str, Any], output: str) -> dict[str, Any]:
    """Score the lists of a shard: the function of a task."""
    flags = json.dumps(arguments["flags"])
    args = received_flags(arguments["flags"])
    form = TextForm.of_flags(args)
    metric = metric_flags(args).metric
    with _building:  # one thread reads the references for all
        scorer = _scorer(flags, arguments["references"])
    summary = Summary(metric)
    with open_shard(arguments, KBest) as lists:
        # a shard lacks the lists of all others; `refuse_gaps` has looked for real gaps before the
        # tasks
        price = partial(scorer.score, allow_missing=True, source=lists.name)
        scored = summary.count(form.scored(lists, price, lists.name))
        packed = arguments["inventory"]
        inventory = None if packed is None else InventoryReference.unpack(packed, lists.name)
        signature = arguments["signature"]
        written = write_shard(output, scored, KBest, signature, metric.header(), inventory)
    return {**written, "summary": summary.counts()}


# one entry, not more: references may be large, and the tasks of a run have all the same
@lru_cache(maxsize=1)
def _scorer(flags: str, digest: str) -> Scorer:
    """Return the scorer of all references; raises DataError if these have changed.

    digest: checksum of the references that the run began with.
    """
    asked = metric_flags(received_flags(json.loads(flags)))
    references = References.read(asked.refs)
    if references.digest() != digest:
        problem = "expected the references that the run began with, found others: they have changed"
        raise DataError(references.names[0], None, problem)
    return Scorer(asked.metric, references)


def refuse_gaps(
    lists: CollectionReader[KBest], references: References, allow_missing: bool
) -> None:
    """Raise DataError unless every list has references, and every reference a list.

    The manifest shows whether there is a gap; only then are the lists read, to name it.
    """
    _, references = matched(lists, references)
    # a manifest has the numbers of sentences, not their ids, so here all lists must be read
    if references.ids is not None:
        deque(with_references(lists, lists.name, references, allow_missing), maxlen=0)
        return
    expected = 0
    for shard in lists.collection.shards:
        gap = shard.first > expected or shard.records < shard.last - shard.first + 1
        # too few records for the span from first to last: some sentence within has no list
        if shard.last >= len(references) or (gap and not allow_missing):
            break
        expected = shard.last + 1
    else:
        if expected == len(references) or allow_missing:
            return
    deque(with_references(lists, lists.name, references, allow_missing), maxlen=0)


def compare_first_texts(
    lists: CollectionReader[KBest], form: TextForm, likeness: Likeness | None
) -> None:
    """Compare the first texts with their references, as scoring in one process does."""
    if likeness is not None:
        texts = form.all_of(islice(lists, ENOUGH), lists.name)
        deque(likeness.watch(texts), maxlen=0)
