"""Turns that all arcs before agree on."""

import numpy as np
import pytest

from campanula.stages.decoding import paths
from campanula.stages.kernels.graph.turns import Turns, settled_turns, turn_score
from tests.lattices import random_lattice

NONE = np.zeros((0, 0), np.bool_)


@pytest.mark.parametrize("seed", range(4))
def test_turns_that_agree(seed):
    lattice, rng = random_lattice(seed, 6), np.random.default_rng(seed)
    arcs = paths.arcs_of(lattice)
    turns = Turns(
        lattice.phrase.astype(np.int64),
        rng.integers(0, 2, (6, 6)).astype(np.float64),
        np.array([1.0, 0, 2.0]),
        NONE,
    )
    score, varies = settled_turns(arcs, turns)
    for a, u in enumerate(lattice.before.tolist()):
        befores = range(lattice.pointer[u], lattice.pointer[u + 1]) if u else [-1]
        every = {turn_score(b, a, arcs, turns) for b in befores}
        assert bool(varies[a]) == (len(every) > 1)
        assert score[a] == (0.0 if varies[a] else every.pop())
