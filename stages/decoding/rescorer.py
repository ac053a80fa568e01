"""K-best lists from lattices, under any weights, also of features that the lattices lack.

    score = theta . (f(derivation), sparse(derivation), lexical(derivation))

There are three ways to the best paths, of which the cheapest possible is taken.  Under the weights
of the search, the scores in the lattice give the lists of the search, to the last bit.  If every
feature with a weight is local to an arc, arcs get new scores.  Else cube pruning scores paths.
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
from campanula.stages.decoding.indexed_inventory import IndexedInventory, seed_of
from campanula.stages.decoding.lattice_steps import lattice_steps
from campanula.stages.decoding.sparse.arcs import SparseArcs
from campanula.stages.decoding.sparse.counts import Fired, SparseCounts, scored
from campanula.stages.decoding.sparse.feature_ids import NamedFeatures
from campanula.stages.decoding.sparse.keys import SparseKeys
from campanula.stages.decoding.sparse.mapped_weights import MappedWeights
from campanula.stages.decoding.sparse.options import SparseWeights, digest_of, weights_by_key
from campanula.stages.parallel.threads import in_threads

if TYPE_CHECKING:
    from campanula.stages.kernels.graph.paths import Paths

LARGEST_VALUE = 1e100  # of a feature; weights are at most formats.weights.LARGEST


@dataclass(frozen=True)
class RescoreSettings:
    """Settings: length k of lists, different strings only, derivations kept per inner node."""

    k: int = 500
    distinct: bool = False
    node_list: int = 100


@dataclass(frozen=True)
class FeaturesBeside:
    """The sparse features for lattices made with some templates.

    arcs: their scores on arcs, None if no weight differs from 0; digest: of the weights.
    """

    counts: SparseCounts
    keys: SparseKeys
    arcs: SparseArcs | None
    digest: str


@dataclass(frozen=True)
class WeightedLattice:
    """A lattice with ids and weights of its dense features (n_dense,), and its sparse features.

    dense_id: ids in the lists to write.
    """

    lattice: Lattice
    dense_id: Ids
    weight: Floats
    beside: FeaturesBeside


@dataclass(frozen=True)
class Extract:
    """The best paths of a lattice: dense features (n_dense, n_paths), texts, sparse features."""

    weighted: WeightedLattice
    dense: Floats
    text: Texts
    fired: Fired | None


class Rescorer:
    """Extracts k-best lists, all with the table `names`.

    missing: weight of a dense feature without one, None: an error; sparse features without one have
    0; listed: single sparse features; inventory: lists have its ids.
    """

    def __init__(
        self,
        weights: Weights | MappedWeights,
        settings: RescoreSettings,
        listed: Iterable[str] = (),
        missing: float | None = None,
        inventory: IndexedInventory | None = None,
    ) -> None:
        # those of a stream were checked when it was mapped (MappedWeights.of)
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
        for extract in in_threads(self._extract, map(self._weighted, lattices), jobs):
            yield self._record(extract)

    def refuse_unknown(self, lists: str) -> None:
        """Raise DataError for a weight whose feature none of the lattices read can have.

        Weights of a stream are not checked: an inventory has more features than any lists with its
        ids.
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
        """Return a lattice with its weights.

        Lattices must come in their order, since new features get ids.
        """
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
        """Return the sparse features for lattices made with some templates."""
        listed, weights, inventory = self._listed, self._weights, self._inventory
        if isinstance(weights, MappedWeights):
            sparse = SparseWeights(templates, {}, weights.stream.source, listed, weights)
        else:
            sparse = SparseWeights(templates, weights, weights.source, listed)
        keys = weights_by_key(sparse, seed_of(inventory))
        digest = digest_of(sparse, keys)
        ids = NamedFeatures(self.names) if inventory is None else inventory.features()
        return FeaturesBeside(
            SparseCounts(templates, keys, ids, listed),
            keys,
            SparseArcs(keys) if digest else None,
            digest,
        )

    def _extract(self, weighted: WeightedLattice) -> Extract:
        from campanula.stages.kernels.graph.paths import path_sums

        lattice = weighted.lattice
        beside = weighted.beside
        best = best_paths(weighted, self._settings)
        arcs = paths.arcs_of(lattice)
        fired = None
        if len(lattice.source):
            listed = beside.counts.lexical.count(lattice.source, lattice.word, arcs, best)
            steps = lattice_steps(lattice, best, beside.keys) if beside.counts.on else None
            fired = beside.counts.fire(steps, listed)
        return Extract(
            weighted, path_sums(best, lattice.dense), paths.path_texts(lattice, best), fired
        )

    def _record(self, extract: Extract) -> KBest:
        """Return the list of the best paths, sorted by the scores of its own features.

        These scores may differ in the last bit from those of the search for paths.
        """
        weighted = extract.weighted
        counts = None
        if extract.fired is not None:
            counts = weighted.beside.counts.count(extract.fired, len(extract.text))
        features, score = scored(extract.dense, weighted.dense_id, weighted.weight, counts)
        record = KBest(weighted.lattice.sid, extract.text, features, self.names, score)
        if self._inventory is not None:
            self._inventory.see(record)
        return record.sorted_by(score)


def refuse_large_values(lattice: Lattice) -> None:
    """Raise DataError for a feature value so large that scores of paths may not be finite."""
    for number, values in zip(lattice.dense_id.tolist(), lattice.dense, strict=True):
        largest = max(values.max(initial=0.0), -values.min(initial=0.0))
        if largest > LARGEST_VALUE:
            where = f"sentence {lattice.sid}: feature {lattice.names[number]!r}"
            problem = f"expected values of at most {LARGEST_VALUE:g} in size, found {largest:g}"
            raise DataError("lattices", where, problem)


def best_paths(weighted: WeightedLattice, settings: RescoreSettings) -> Paths:
    """Return the k best paths, by the cheapest way; only cube pruning may miss some."""
    lattice = weighted.lattice
    beside = weighted.beside
    k = settings.k
    distinct = settings.distinct
    # the weights of the search: its scores are in the lattice
    if beside.digest == lattice.sparse and np.array_equal(weighted.weight, lattice.weight):
        return paths.best_paths(lattice, None, k, distinct)
    # no sparse feature has a weight: new scores of arcs are sums over their dense features
    local = paths.dense_scores(lattice.dense, weighted.weight)
    if beside.arcs is None or not len(lattice.source):
        return paths.best_paths(lattice, local, k, distinct)
    sparse = beside.arcs.scores(lattice)
    local += sparse.local
    if not sparse.beyond:  # no feature of this lattice looks beyond an arc
        return paths.best_paths(lattice, local, k, distinct)
    from campanula.stages.kernels.graph.cube_kbest import PathScores, cube_kbest

    scores = PathScores(local, sparse.varies, sparse.turns, sparse.info, sparse.seams)
    return cube_kbest(paths.arcs_of(lattice), scores, settings.node_list, k, distinct)
