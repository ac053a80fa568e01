"""Cube pruning over a lattice, and what words complete."""

from itertools import pairwise

import numpy as np
import pytest

from formats.lexical_names import LexicalFeature
from stages.decoding import paths
from stages.decoding.lexical import LexicalFeatures, counts
from stages.kernels import lattice_kbest
from tests.lattices import random_features, random_lattice
from tests.naive import lattice as naive


def test_find():
    keys = np.array([2, 3, 7])
    assert [lattice_kbest.find(keys, key) for key in range(9)] == [-1, -1, 0, 1, -1, -1, -1, 2, -1]
    assert lattice_kbest.find(keys[:0], 1) == -1


@pytest.mark.parametrize("seed", range(4))
def test_features_of_paths(seed):
    lattice, features = random_lattice(seed, 4), random_features(seed)
    lexical, arcs = LexicalFeatures(features), paths.arcs_of(lattice)
    every = list(naive.paths(lattice))
    offset = np.concatenate([[0], np.cumsum([len(path) for path in every])])
    local = lattice_kbest.local_features(arcs, lexical.local(lattice))
    found = lattice_kbest.path_features(
        offset, np.concatenate(every), arcs, *local, lexical.beyond(lattice)
    )
    rows = [{} for _ in every]
    for row, feature, count in zip(*counts(*found, len(features)), strict=True):
        rows[row][features[feature].name] = float(count)
    assert rows == [naive.lexical(lattice, path, features) for path in every]


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
    features = [LexicalFeature("bigram", ("u", "v")), LexicalFeature("trigger", ("v", "v"))]
    beyond = LexicalFeatures(features).beyond(lattice)
    score = paths.arc_scores(lattice, lattice.weight)
    offset, arc = lattice_kbest.cube_kbest(
        paths.arcs_of(lattice), score, beyond, np.array([1.0, -1.0]), node_list, 50, distinct
    )
    found = [tuple(arc[a:b].tolist()) for a, b in pairwise(offset.tolist())]
    assert set(found) <= {tuple(path) for path in naive.paths(lattice)}
    assert len(set(found)) == len(found) <= 50
    if distinct:
        assert len({naive.text(lattice, path) for path in found}) == len(found)


def test_sets_of_triggers():
    seen = np.zeros(3, dtype=np.uint8)
    for trigger in (0, 7, 8, 21, -1, 7):
        lattice_kbest.include(seen, trigger)
    assert [t for t in range(24) if lattice_kbest.is_in(seen, t)] == [0, 7, 8, 21]
