"""K-best lists from lattices: under any weights of their features, and with features beyond.

    score = theta . (f(derivation), sparse(derivation), lexical(derivation))

Three ways to the best paths, the cheapest that fits.  Under the weights of the search, its own
scores give its own lists, to the last bit.  Where every feature with a weight belongs to an arc,
new scores of arcs do.  Else cube pruning looks along paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.types import Floats, Ids
from campanula.formats.errors import DataError
from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.records.kbest import KBest
from campanula.formats.records.lattice import Lattice
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.weights import Weights
from campanula.stages.decoding import paths
from campanula.stages.decoding.feature_ids import NamedFeatures
from campanula.stages.decoding.indexed_inventory import IndexedInventory
from campanula.stages.decoding.lattice_steps import lattice_steps
from campanula.stages.decoding.mapped_weights import MappedWeights
from campanula.stages.decoding.sparse_arcs import SparseArcs
from campanula.stages.decoding.sparse_counts import Fired, SparseCounts, scored
from campanula.stages.decoding.sparse_keys import SparseKeys
from campanula.stages.decoding.sparse_options import SparseWeights, digest_of, weights_by_key
from campanula.stages.threads import in_order

if TYPE_CHECKING:
    from campanula.stages.kernels.graph.paths import Paths

LARGEST_VALUE = 1e100  # of a feature; weights are at most formats.weights.LARGEST


@dataclass(frozen=True)
class RescoreSettings:
    """How to extract: list length, different strings only, derivations per inner node."""

    k: int = 500
    distinct: bool = False
    node_list: int = 100


@dataclass(frozen=True)
class FeaturesBeside:
    """The features beside the dense ones, for lattices made with some templates.

    `arcs` is None when none of them has a weight other than 0, and `digest` is that of the weights.
    """

    counts: SparseCounts
    keys: SparseKeys
    arcs: SparseArcs | None
    digest: str


@dataclass(frozen=True)
class WeightedLattice:
    """A lattice with the ids of its dense features in the lists to write, and their weights."""

    lattice: Lattice
    dense_id: Ids
    weight: Floats
    beside: FeaturesBeside


@dataclass(frozen=True)
class Extract:
    """The best paths of a lattice: dense features (n_dense, n_paths), texts, and what fires."""

    given: WeightedLattice
    dense: Floats
    text: Texts
    fired: Fired | None


class Rescorer:
    """Extracts k-best lists, all with the table `names`.

    `missing` is the weight of a dense feature without one; sparse and listed ones have 0.  With an
    `inventory` lists have its ids.
    """

    def __init__(
        self,
        weights: Weights | MappedWeights,
        settings: RescoreSettings,
        listed: Iterable[str] = (),
        missing: float | None = None,
        inventory: IndexedInventory | None = None,
    ) -> None:
        if isinstance(weights, Weights):
            weights.refuse_beyond()
        self.names = Names() if inventory is None else inventory.names
        self._inventory = inventory
        self._ids = NamedFeatures(self.names) if inventory is None else inventory
        self._dense_names = Names()
        self._weights = weights
        self._settings = settings
        self._missing = missing
        self._listed = tuple(listed)
        self._by_templates: dict[tuple[str, ...], FeaturesBeside] = {}

    def rescore(self, lattices: Iterable[Lattice], jobs: int = 1) -> Iterator[KBest]:
        """Yield the k-best list of every lattice, in order; the same for any number of jobs."""
        for extract in in_order(self._extract, map(self._weighted, lattices), jobs):
            yield self._record(extract)

    def refuse_unknown(self, lists: str) -> None:
        """Raise DataError for a weight whose feature no lattice read can have.

        An inventory has more features than lists against it, so weights of a stream are all good.
        """
        if isinstance(self._weights, MappedWeights):
            return
        on = {p for names in self._by_templates for name in names for p in TEMPLATES[name].prefixes}
        listed = set(self._listed)
        rest = {
            name: value
            for name, value in self._weights.items()
            if name.partition("_")[0] not in on and name not in listed
        }
        Weights(rest, self._weights.source).refuse_unknown(self._dense_names, lists)

    def _weighted(self, lattice: Lattice) -> WeightedLattice:
        refuse_large_values(lattice)
        names = Names([lattice.names[number] for number in lattice.dense_id.tolist()])
        self._dense_names.ids_of(names)
        weights = self._weights
        weights = weights.named(names) if isinstance(weights, MappedWeights) else weights
        weight = weights.vector(names, self._missing)
        dense_id = self._ids.ids_of(list(names))
        beside = self._by_templates.get(lattice.templates)
        if beside is None:
            beside = self._by_templates[lattice.templates] = self._beside(lattice.templates)
        return WeightedLattice(lattice, dense_id, weight, beside)

    def _beside(self, templates: tuple[str, ...]) -> FeaturesBeside:
        listed, weights, inventory = self._listed, self._weights, self._inventory
        if isinstance(weights, MappedWeights):
            given = SparseWeights(templates, {}, weights.stream.source, listed, weights)
        else:
            given = SparseWeights(templates, weights, weights.source, listed)
        seed = 0 if inventory is None else int(inventory.index.seed[0])
        keys = weights_by_key(given, seed)
        digest = digest_of(given, keys)
        ids = NamedFeatures(self.names) if inventory is None else inventory.features()
        return FeaturesBeside(
            SparseCounts(templates, keys, ids, listed),
            keys,
            SparseArcs(keys) if digest else None,
            digest,
        )

    def _extract(self, given: WeightedLattice) -> Extract:
        from campanula.stages.kernels.graph.paths import path_sums

        lattice, beside = given.lattice, given.beside
        best = best_paths(given, self._settings)
        arcs = paths.arcs_of(lattice)
        fired = None
        if len(lattice.source):
            listed = beside.counts.lexical.count(lattice.source, lattice.word, arcs, best)
            steps = lattice_steps(lattice, best, beside.keys) if beside.counts.on else None
            fired = beside.counts.fire(steps, listed)
        return Extract(
            given, path_sums(best, lattice.dense), paths.path_texts(lattice, best), fired
        )

    def _record(self, extract: Extract) -> KBest:
        """Record of derivations; its order is that of the scores which the record itself gives."""
        given = extract.given
        counts = None
        if extract.fired is not None:
            counts = given.beside.counts.count(extract.fired, len(extract.text))
        features, own = scored(extract.dense, given.dense_id, given.weight, counts)
        record = KBest(given.lattice.sid, extract.text, features, self.names, own)
        if self._inventory is not None:
            self._inventory.see(record)
        order = np.argsort(-own, kind="stable")
        return record if (np.diff(order) > 0).all() else record.take(order)


def refuse_large_values(lattice: Lattice) -> None:
    """Raise DataError for a feature of an arc with which scores of paths might not be finite."""
    for number, values in zip(lattice.dense_id.tolist(), lattice.dense, strict=True):
        largest = max(values.max(initial=0.0), -values.min(initial=0.0))
        if largest > LARGEST_VALUE:
            where = f"sentence {lattice.sid}: feature {lattice.names[number]!r}"
            problem = f"expected values of at most {LARGEST_VALUE:g} in size, found {largest:g}"
            raise DataError("lattices", where, problem)


def best_paths(given: WeightedLattice, settings: RescoreSettings) -> Paths:
    """The k best paths: those of the search under its weights, else as exact as can be."""
    lattice, beside = given.lattice, given.beside
    k, distinct = settings.k, settings.distinct
    if beside.digest == lattice.sparse and np.array_equal(given.weight, lattice.weight):
        return paths.best_paths(lattice, None, k, distinct)
    local = paths.dense_scores(lattice.dense, given.weight)
    if beside.arcs is None or not len(lattice.source):
        return paths.best_paths(lattice, local, k, distinct)
    sparse = beside.arcs.scores(lattice)
    local += sparse.local
    if not sparse.beyond:
        return paths.best_paths(lattice, local, k, distinct)
    from campanula.stages.kernels.graph.cube_kbest import PathScores, cube_kbest

    scores = PathScores(local, sparse.varies, sparse.turns, sparse.info, sparse.seams)
    return cube_kbest(paths.arcs_of(lattice), scores, settings.node_list, k, distinct)
