"""Parts of a text decoded by workers that add to one inventory; same bytes as by one process.

    decode    a task for each part: its lists, with numbers of its own for features that the
              inventory lacks, the names of these features, and counts
    growth    in the main process, in the order of the parts: the inventory takes each part's names
    numbers   a task for each part: its lists with the final ids of its features

Ids follow from the parts and their order alone.  A list's features are sorted by id, its scores add
them up in that order, and its hypotheses are sorted by score: so all of this is done again when the
ids are known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from campanula.formats.arrays.pointers import lengths_of
from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.atomic import atomic_file, temporary_folder
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.inventories.inventory_names import InventoryNames, NumberedNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.raw_arrays import write_raw_arrays
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader
from campanula.stages.decoding.list_inventory import ListInventory
from campanula.stages.decoding.part_inventory import PRIVATE, PartInventory
from campanula.stages.decoding.part_names import PartNames, unpacked_lists
from campanula.stages.decoding.parts import (
    TITLE,
    PartDecoding,
    SetupOf,
    TextPart,
    cached_setup,
    part_lists,
)
from campanula.stages.engines.shards import Engine, adopted, write_shard
from campanula.stages.engines.task import Task, task
from campanula.stages.inventories.weights_by_id import named_weights
from campanula.stages.tuning.scoring import score_features


class Grown(NamedTuple):
    """A decoded part: its task, the file of its names' ids, and the inventory after it."""

    decoded: Task
    ids: str
    reference: InventoryReference


@dataclass(frozen=True, slots=True)
class ExtendingParts:
    """Parts to be decoded by workers; numbering: name of the function of the second tasks."""

    decoding: PartDecoding
    numbering: str

    def write(
        self,
        engine: Engine,
        folder: str,
        parts: Sequence[TextPart],
        out: CollectionWriter[KBest],
        inventory: ListInventory,
    ) -> None:
        """Decode every part, add its names to the inventory, and write its lists."""
        settings = {"counts": inventory.counts}
        tasks = [self.decoding.task(folder, part, settings, ".decoded") for part in parts]
        grown = []
        for decoded, path in zip(tasks, engine.run(tasks, TITLE), strict=True):
            ids = inventory.take(PartNames.read(path))
            reference = inventory.reference()
            # ids depend on the names before them, so the file has the digest of these in its name
            ids_path = f"{path}.{reference.digest}.ids"
            with atomic_file(ids_path) as unfinished:
                write_raw_arrays(unfinished, ids)
            grown.append(Grown(decoded, ids_path, reference))
        for _ in adopted(engine, [self._numbering(folder, part) for part in grown], TITLE, out):
            pass

    def _numbering(self, folder: str, part: Grown) -> Task:
        """Return the task that gives a part's lists their final ids."""
        decoded = part.decoded
        reference = part.reference.pack()
        inputs = {"made": decoded.output, "ids": part.ids, "reference": reference}
        arguments = {**decoded.arguments, **inputs}
        identity = [decoded.name, reference]
        return task(folder, TITLE, self.numbering, arguments, identity, ".kbest", decoded.near)


def decode_extending(arguments: Mapping[str, Any], output: str, setup_of: SetupOf) -> None:
    """Decode a part with ids of the inventory and numbers of its own: the function of a task.

    Raises DataError if model, weights or inventory have changed since the run began.
    """
    setup = cached_setup(arguments, setup_of)
    with (
        temporary_folder() as folder,
        PartInventory(setup.inventory, folder, arguments["counts"]) as inventory,
    ):
        lists = part_lists(arguments, replace(setup, inventory=inventory))
        stream = f"{folder}/lists"
        write_shard(stream, lists, KBest, arguments["signature"], inventory=PRIVATE)
        inventory.part_names(setup.given_weights()).write(output, stream)


def number_part(arguments: Mapping[str, Any], output: str, setup_of: SetupOf) -> dict[str, Any]:
    """Write the lists of a part with their final ids: the function of a task; returns counts."""
    reference = InventoryReference.unpack(arguments["reference"], arguments["made"])
    own = PartNames.read(arguments["made"])
    ids = np.fromfile(arguments["ids"], np.int32)
    base = arguments["base"]
    n_before = 0 if base is None else InventoryReference.unpack(base, arguments["made"]).names
    theta = None
    if own.weight.any():  # else new features add 0, in any order, and scores stay as they are
        setup = cached_setup(arguments, setup_of)
        # the inventory is as the run began: names that came later have their weights in `own`
        inventory = None if setup.inventory is None else setup.inventory.base
        theta = named_weights(setup.given_weights(), inventory, reference.names)
        theta[ids] = own.weight
    final_ids = FinalIds(n_before, ids, NumberedNames(reference), theta)
    with (
        temporary_folder() as folder,
        Reader(unpacked_lists(arguments["made"], folder), KBest) as lists,
    ):
        renumbered = map(final_ids.renumbered, lists)
        return write_shard(output, renumbered, KBest, arguments["signature"], inventory=reference)


class FinalIds(NamedTuple):
    """The final ids (n_own,) of a part's own numbers, which begin at n_before.

    names: of the lists with final ids; theta: weights by id, to add up scores in their new order,
    or None if scores do not change.
    """

    n_before: int
    ids: Ids
    names: InventoryNames
    theta: Floats | None

    def renumbered(self, kbest: KBest) -> KBest:
        """Return a list with its final ids, in the order that follows from them."""
        features = self._features(kbest.features)
        score = kbest.score
        if self.theta is not None:
            score = score_features(features, self.theta)
        assert score is not None
        record = replace(kbest, names=self.names, features=features, score=score)
        return record.sorted_by(score)

    def _features(self, features: Features) -> Features:
        sparse = self._id(features.sparse_id)
        binary = self._id(features.binary_id)
        by_sparse = by_row(features.sparse_pointer, sparse)
        by_binary = by_row(features.binary_pointer, binary)
        return replace(
            features,
            dense_id=self._id(features.dense_id),
            sparse_id=sparse[by_sparse],
            sparse_value=features.sparse_value[by_sparse],
            binary_id=binary[by_binary],
        )

    def _id(self, number: Ids) -> Ids:
        result = number.copy()
        own = np.flatnonzero(number >= self.n_before)
        result[own] = self.ids[number[own] - self.n_before]
        return result


def by_row(pointer: Ints, ids: Ids) -> Ints:
    """Return the places (n,) of the entries of compressed rows, sorted by id within each row."""
    row = np.repeat(np.arange(len(pointer) - 1), lengths_of(pointer))
    return np.lexsort((ids, row))
