"""Lexical features of paths, and sets of triggers."""

import numpy as np
import pytest

from campanula.stages.decoding import paths
from campanula.stages.decoding.sparse.lexical import LexicalFeatures
from campanula.stages.kernels.graph import lexical as kernels
from tests.lattices import paths_of, random_features, random_lattice
from tests.naive import lattice as naive


@pytest.mark.parametrize("seed", range(4))
def test_features_of_paths(seed):
    lattice, features = random_lattice(seed, 4), random_features(seed)
    every = list(naive.paths(lattice))
    lexical, arcs = LexicalFeatures(features), paths.arcs_of(lattice)
    path, feature = lexical.count(lattice.source, lattice.word, arcs, paths_of(every))
    rows: list[dict[str, float]] = [{} for _ in every]
    for h, number in zip(path.tolist(), feature.tolist(), strict=True):
        name = features[number].name
        rows[h][name] = rows[h].get(name, 0.0) + 1.0
    assert rows == [naive.lexical(lattice, path, features) for path in every]


def test_sets_of_triggers():
    seen = np.zeros(3, dtype=np.uint8)
    for trigger in (0, 7, 8, 21, -1, 7):
        kernels.include(seen, trigger)
    assert [t for t in range(24) if kernels.is_in(seen, t)] == [0, 7, 8, 21]
