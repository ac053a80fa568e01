"""Useful arcs of a search graph, and best scores."""

import numpy as np

from campanula.stages.kernels.graph.arcs import best_through, useful_arcs
from campanula.stages.kernels.records import Graph
from tests.lattices import random_lattice
from tests.naive import lattice as naive


def test_arcs_that_do_not_lead_to_the_end_are_dropped():
    """Nodes 0 -> 1 -> 3, 0 -> 2 (a dead end), 0 -> 3; arc 4 is of a node that was pruned."""
    link = np.array(
        [[0, 0, 0, 1, -1], [0, 0, 0, 1, -1], [1, 0, 0, 1, -1], [0, 0, 0, 2, 2], [0, 0, 0, 1, -1]],
        np.int32,
    )
    first_arc = np.array([-1, 0, 1, 3], np.int32)
    pointer, arc, before = useful_arcs(Graph(np.zeros(4), first_arc, link, np.zeros((5, 2))))
    assert pointer.tolist() == [0, 0, 1, 3]
    assert arc.tolist() == [0, 2, 3]
    assert before.tolist() == [0, 1, 0]


def test_best_through_an_arc():
    lattice = random_lattice(1, 5)
    local = lattice.weight @ lattice.dense
    score = best_through(lattice.pointer, lattice.before, local)
    after = lattice.after()
    for arc in range(lattice.n_arcs):
        found = [
            local[path].sum() for path in naive.paths(lattice, int(after[arc])) if path[-1] == arc
        ]
        np.testing.assert_allclose(score[arc], max(found))
