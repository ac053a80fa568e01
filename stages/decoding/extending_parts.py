"""Parts of a text decoded by workers against an inventory that is added to: bytes of one process.

    decode    a task a part: its lists, with numbers of its own for what the inventory lacks, the
              names of these, and what is to be counted
    growth    here, in the order of the parts: the inventory takes the names of each
    numbers   a task a part: its lists with the ids that its names have come to

Ids follow from the parts and their order alone.  A list's features stand in the order of their
ids, its score adds them up in that order, and its hypotheses stand in the order of their scores: so
what depends on ids is done when they are known.
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
from campanula.formats.raw_arrays import write_arrays
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader
from campanula.formats.weights import Weights
from campanula.stages.decoding.decoder_setup import DecoderSetup
from campanula.stages.decoding.list_inventory import ListInventory
from campanula.stages.decoding.part_inventory import PRIVATE, PartInventory
from campanula.stages.decoding.part_names import PartNames, unpacked_lists
from campanula.stages.decoding.parts import (
    TITLE,
    PartDecoding,
    SetupOf,
    TextPart,
    kept_setup,
    part_lists,
)
from campanula.stages.engines.shards import Engine, adopted, write_shard
from campanula.stages.engines.task import Task, task
from campanula.stages.inventories.lookup import Lookup
from campanula.stages.tuning.scoring import score_features


class Grown(NamedTuple):
    """A part that is decoded: its result, the file of its names' ids, what is known behind it."""

    made: Task
    ids: str
    reference: InventoryReference


@dataclass(frozen=True, slots=True)
class ExtendingParts:
    """Parts to be decoded by workers; `numbering` is the function of the second tasks."""

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
        more = {"counts": inventory.counts}
        tasks = [self.decoding.task(folder, part, more, ".decoded") for part in parts]
        grown = []
        for made, path in zip(tasks, engine.run(tasks, TITLE), strict=True):
            ids = inventory.take(PartNames.read(path))
            reference = inventory.known()
            place = f"{path}.{reference.digest}.ids"  # of these names before it, and no others
            with atomic_file(place) as unfinished:
                write_arrays(unfinished, ids)
            grown.append(Grown(made, place, reference))
        for _ in adopted(engine, [self._numbering(folder, part) for part in grown], TITLE, out):
            pass

    def _numbering(self, folder: str, part: Grown) -> Task:
        reference = part.reference.pack()
        more = {"made": part.made.output, "ids": part.ids, "reference": reference}
        arguments = {**part.made.arguments, **more}
        made_of = [part.made.name, reference]
        near = part.made.near
        return task(folder, TITLE, self.numbering, arguments, made_of, ".kbest", near)


def decode_extending(arguments: Mapping[str, Any], output: str, setup_of: SetupOf) -> None:
    """Decode a part against an inventory as it is, and numbers behind it: what a task does.

    Raises DataError where model, weights or inventory are no longer those that the run began with.
    """
    setup = kept_setup(arguments, setup_of)
    with (
        temporary_folder() as folder,
        PartInventory(setup.inventory, folder, arguments["counts"]) as inventory,
    ):
        lists = part_lists(arguments, replace(setup, inventory=inventory))
        stream = f"{folder}/lists"
        write_shard(stream, lists, KBest, arguments["signature"], inventory=PRIVATE)
        inventory.part_names(setup.given_weights()).write(output, stream)


def number_part(arguments: Mapping[str, Any], output: str, setup_of: SetupOf) -> dict[str, Any]:
    """Write the lists of a part with ids of the inventory: what a task does."""
    reference = InventoryReference.unpack(arguments["reference"], arguments["made"])
    own = PartNames.read(arguments["made"])
    ids = np.fromfile(arguments["ids"], np.int32)
    base = arguments["base"]
    n_before = 0 if base is None else InventoryReference.unpack(base, arguments["made"]).names
    theta = None
    if own.weight.any():  # else the order of what is new changes no score
        setup = kept_setup(arguments, setup_of)
        theta = weights_by_id(setup, reference.names)
        theta[ids] = own.weight
    numbers = Numbers(n_before, ids, NumberedNames(reference), theta)
    with (
        temporary_folder() as folder,
        Reader(unpacked_lists(arguments["made"], folder), KBest) as lists,
    ):
        numbered = map(numbers.of, lists)
        return write_shard(output, numbered, KBest, arguments["signature"], inventory=reference)


def weights_by_id(setup: DecoderSetup, n: int) -> Floats:
    """Weights (n,) of text by the ids of the inventory as it was; those that it lacks are 0."""
    theta = np.zeros(n)
    weights = setup.given_weights()
    base = None if setup.inventory is None else setup.inventory.base
    if isinstance(weights, Weights) and base is not None:
        ids = Lookup(base).ids_of(weights)
        values = np.array([*weights.values()], np.float64)
        there = (ids >= 0) & (ids < n)
        theta[ids[there]] = values[there]
    return theta


class Numbers(NamedTuple):
    """The numbers of a part: its own begin at n_before, and are to be ids (n_own,).

    names: of the lists.  theta by id, where scores change with the order of what they add up.
    """

    n_before: int
    ids: Ids
    names: InventoryNames
    theta: Floats | None

    def of(self, kbest: KBest) -> KBest:
        """A list with ids, in the order that follows from them."""
        features, score = self._features(kbest.features), kbest.score
        if self.theta is not None:
            score = score_features(features, self.theta)
        assert score is not None
        record = replace(kbest, names=self.names, features=features, score=score)
        order = np.argsort(-score, kind="stable")
        return record if (np.diff(order) > 0).all() else record.take(order)

    def _features(self, features: Features) -> Features:
        sparse, binary = self._id(features.sparse_id), self._id(features.binary_id)
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
    """Places (n,) of compressed rows' entries, row by row by their ids."""
    row = np.repeat(np.arange(len(pointer) - 1), lengths_of(pointer))
    return np.lexsort((ids, row))
