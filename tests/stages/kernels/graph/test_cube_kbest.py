"""Cube pruning over a lattice; its lists against enumeration are in test_rescorer."""

from itertools import pairwise

import numpy as np
import pytest

from campanula.stages.decoding import paths
from campanula.stages.decoding.sparse.arcs import SparseArcs
from campanula.stages.decoding.sparse.keys import SparseKeys
from campanula.stages.kernels.graph.cube_kbest import PathScores, cube_kbest
from tests.lattices import random_lattice
from tests.naive import lattice as naive


@pytest.mark.parametrize("node_list", [1, 3, 1000])
@pytest.mark.parametrize("distinct", [False, True])
def test_paths_are_whole_and_different(node_list, distinct):
    lattice = random_lattice(3, 6)
    names, theta = ["bigram_u~v", "trigger_v~~v", "orient_R"], np.array([1.0, -1.0, 0.5])
    sparse = SparseArcs(SparseKeys.of_names(names, theta)).scores(lattice)
    local = paths.dense_scores(lattice.dense, lattice.weight) + sparse.local
    scores = PathScores(local, sparse.varies, sparse.turns, sparse.info, sparse.seams)
    offset, arc = cube_kbest(paths.arcs_of(lattice), scores, node_list, 50, distinct)
    found = [tuple(arc[a:b].tolist()) for a, b in pairwise(offset.tolist())]
    assert set(found) <= {tuple(path) for path in naive.paths(lattice)}
    assert len(set(found)) == len(found) <= 50
    if distinct:
        assert len({naive.text(lattice, list(path)) for path in found}) == len(found)
