"""Finished graphs of the oracle search; what the k best of them are is in test_search."""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.oracle.graphs import finished
from campanula.stages.kernels.oracle.records import Stacks, StateArcs, StateNodes


def test_only_what_leads_to_the_best_ends_is_left() -> None:
    """Nodes 0 to 3: 1 and 2 follow 0, nothing follows 3; three ends, of two gains."""
    blocks, arc = np.array([0, 1, 1, 1], np.int32), np.array([-1, 1, 2, 3], np.int32)
    nothing = np.zeros((4, 6), np.int32), np.zeros(4, np.int32), np.zeros((4, 0), np.int64)
    nodes = StateNodes(*nothing, np.zeros(4), blocks, arc, np.full(4, -1, np.int32))
    link = np.array(
        [
            [0, 7, 0, 1, -1],
            [0, 8, 0, 1, 0],
            [0, 9, 0, 1, -1],
            [0, 10, 0, 1, -1],
            [1, 11, 1, 2, -1],
            [2, 12, 1, 2, 4],
            [1, 13, 1, 2, 5],
        ],
        np.int32,
    )
    arcs = StateArcs(link, np.array([0.0, 0.0, 0.0, 0.0, 0.5, 0.9, 0.1]))
    head, size = np.full(6, -1), np.zeros(6, np.int64)
    head[4], size[4] = 6, 3
    stacks = Stacks(head, size, np.zeros(6), np.zeros(6, np.int64))
    graph = finished(2, stacks, 2, np.arange(4), nodes, arcs)
    assert graph.link.tolist() == [
        [0, 7, 0, 1, -1],
        [0, 8, 0, 1, 0],
        [0, 9, 0, 1, -1],
        [2, 12, 1, 2, -1],
        [1, 11, 1, 2, 3],
    ]
    assert graph.first_arc.tolist() == [-1, 1, 2, 4]
    assert graph.node_score.tolist() == [0.0, -1.0, -1.0, -2.0]
    assert graph.arc_value[:, 0].tolist() == [-1.0, -1.0, -1.0, -2.0, -5.0]


def test_without_an_end_nothing_is_left() -> None:
    nothing = np.zeros((1, 6), np.int32), np.zeros(1, np.int32), np.zeros((1, 0), np.int64)
    none = np.full(1, -1, np.int32)
    nodes = StateNodes(*nothing, np.zeros(1), np.zeros(1, np.int32), none, none)
    arcs = StateArcs(np.zeros((0, 5), np.int32), np.zeros(0))
    stacks = Stacks(np.full(4, -1), np.zeros(4, np.int64), np.zeros(4), np.zeros(4, np.int64))
    graph = finished(1, stacks, 2, np.zeros(1, np.int64), nodes, arcs)
    assert graph.node_score.tolist() == [-np.inf]
    assert graph.link.shape == (0, 5)
