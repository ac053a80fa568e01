"""Cube pruning over a lattice, and turns that all arcs before agree on."""

from itertools import pairwise

import numpy as np
import pytest

from campanula.formats.feature_names.sparse import split_name
from campanula.stages.decoding import paths
from campanula.stages.decoding.sparse_arcs import SparseArcs
from campanula.stages.kernels.graph import cube_kbest as lattice_kbest
from tests.lattices import random_lattice
from tests.naive import lattice as naive


def test_the_heap_gives_the_best_arc_first():
    head = np.array([0.5, 2.0, 1.0, 2.0, -1.0])
    heap = np.empty(5, dtype=np.int64)
    for size, arc in enumerate([4, 3, 0, 2, 1]):
        lattice_kbest.lifted(heap, size, arc, head)
    taken = []
    for size in range(4, -1, -1):
        taken.append(int(heap[0]))
        heap[0] = heap[size]
        lattice_kbest.sunk(heap, size, head)
    assert taken == [1, 3, 2, 0, 4]


@pytest.mark.parametrize("node_list", [1, 3, 1000])
@pytest.mark.parametrize("distinct", [False, True])
def test_paths_are_whole_and_different(node_list, distinct):
    lattice = random_lattice(3, 6)
    weights = {"bigram_u~v": 1.0, "trigger_v~~v": -1.0, "orient_R": 0.5}
    found = SparseArcs({split_name(name): w for name, w in weights.items()}).scores(lattice)
    score = paths.arc_scores(lattice, lattice.weight) + found.local
    beyond = (found.varies, found.turns, found.info, found.seams)
    offset, arc = lattice_kbest.cube_kbest(
        paths.arcs_of(lattice), score, *beyond, node_list, 50, distinct
    )
    found = [tuple(arc[a:b].tolist()) for a, b in pairwise(offset.tolist())]
    assert set(found) <= {tuple(path) for path in naive.paths(lattice)}
    assert len(set(found)) == len(found) <= 50
    if distinct:
        assert len({naive.text(lattice, path) for path in found}) == len(found)


@pytest.mark.parametrize("seed", range(4))
def test_turns_that_agree(seed):
    lattice, rng = random_lattice(seed, 6), np.random.default_rng(seed)
    arcs = paths.arcs_of(lattice)
    turns = lattice_kbest.Turns(
        lattice.phrase.astype(np.int64), rng.integers(0, 2, (6, 6)) * 1.0, np.array([1.0, 0, 2.0])
    )
    score, varies = lattice_kbest.settled_turns(arcs, turns)
    for a, u in enumerate(lattice.before.tolist()):
        befores = range(lattice.pointer[u], lattice.pointer[u + 1]) if u else [-1]
        every = {lattice_kbest.turn_score(b, a, arcs, turns) for b in befores}
        assert bool(varies[a]) == (len(every) > 1)
        assert score[a] == (0.0 if varies[a] else every.pop())
