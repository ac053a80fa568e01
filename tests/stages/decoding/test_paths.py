"""Best paths of a lattice under any weights, and what they say."""

from itertools import pairwise

import numpy as np
import pytest

from campanula.stages.decoding import paths
from tests.lattices import random_lattice
from tests.naive import lattice as naive


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("same", [False, True])
def test_best_paths(seed, same):
    lattice = random_lattice(seed, 6)
    weight = lattice.weight if same else np.array([-0.7, 0.3])
    more = np.random.default_rng(seed).normal(size=lattice.n_arcs) if seed % 2 else None
    local = weight @ lattice.dense + (0.0 if more is None else more)
    np.testing.assert_allclose(
        paths.dense_scores(lattice.dense, weight), weight @ lattice.dense, atol=1e-12
    )
    expected = sorted((local[path].sum() for path in naive.paths(lattice)), reverse=True)
    for k in (1, 10, 10**6):
        own = same and more is None
        offset, arc = paths.best_paths(lattice, None if own else local, k, False)
        score = [local[arc[a:b]].sum() for a, b in pairwise(offset.tolist())]
        np.testing.assert_allclose(score, expected[:k], atol=1e-9)


def test_texts():
    lattice = random_lattice(4)
    best = paths.best_paths(lattice, None, 1000, True)
    found = [best.arc[a:b].tolist() for a, b in pairwise(best.offset.tolist())]
    texts = list(paths.path_texts(lattice, best))
    assert texts == [naive.text(lattice, path) for path in found]
    assert sorted(texts) == sorted({naive.text(lattice, path) for path in naive.paths(lattice)})
