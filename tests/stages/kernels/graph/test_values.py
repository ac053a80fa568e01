"""Dense features of arcs and of derivations."""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.graph.arcs import useful_arcs
from campanula.stages.kernels.graph.values import arc_features, feature_values, n_values
from campanula.stages.kernels.hierarchical import search_turns
from campanula.stages.kernels.records import END, START, Graph, RowScores

SCORE = np.array([[-1.0], [-2.0]], np.float32)
REORDERING = -np.arange(12, dtype=np.float32).reshape(2, 6)
ROWS = RowScores(SCORE, REORDERING, np.array([False]))
NO_TURNS = np.zeros((0, 2), np.int64)
INFO = np.array([[1, 2, 0, 0, 0, 0], [0, 1, 3, 0, 0, 0], [-1, 1, 5, 0, 0, 1]], np.int32)


def two_ways():
    """Node 0 -> 1 -> 2: words 0-1 by option 0 or 1, then word 2 by an unknown word's option."""
    link = np.array([[0, 0, 0, 2, -1], [0, 1, 0, 2, 0], [1, 2, 2, 3, -1]], np.int32)
    return Graph(np.zeros(3), np.array([-1, 1, 2], np.int32), link, np.ones((3, 2)))


def test_features_of_two_derivations():
    offset, arc = np.array([0, 2, 4]), np.array([0, 2, 1, 2])
    value = feature_values(offset, arc, two_ways(), INFO, ROWS, NO_TURNS)
    assert value[0].tolist() == [2, 0, -3, 2, -100, -2, -6, 0, 0, -9, 0, 0]
    assert value[1].tolist() == [2, 0, -2, 2, -100, -1, 0, 0, 0, -3, 0, 0]


def test_arcs_add_up_to_their_derivations():
    """Where all arcs into a node agree on what the next one asks, as those of the search do."""
    graph = two_ways()
    info = INFO.copy()
    info[1, 0] = 1  # the same row, so the same forward scores
    useful = useful_arcs(graph)
    value = arc_features(useful, graph, info, ROWS, 3)
    where = {arc: i for i, arc in enumerate(useful[1].tolist())}
    for first in (0, 1):
        offset, arc = np.array([0, 2]), np.array([first, 2])
        whole = feature_values(offset, arc, graph, info, ROWS, NO_TURNS)[0]
        np.testing.assert_array_equal(value[where[first]] + value[where[2]], whole)


def test_swapped_and_elsewhere():
    """Word 2 first, then 1 just before it, then 0 after a word that is skipped."""
    link = np.array([[0, 0, 2, 3, -1], [1, 1, 1, 2, -1], [2, 0, 3, 4, -1]], np.int32)
    graph = Graph(np.zeros(4), np.array([-1, 0, 1, 2], np.int32), link, np.zeros((3, 2)))
    value = feature_values(np.array([0, 3]), np.arange(3), graph, INFO, ROWS, NO_TURNS)
    assert value[0, :6].tolist() == [0, -(2 + 2 + 1), -5, 3, 0, -5]
    assert value[0, 6:].tolist() == [0, -1, -8 - 8, 0, -10, -5]


def test_two_tables_of_which_one_is_hierarchical():
    """Word 2, then 0, then 1: behind the first block, before it, between what is covered."""
    link = np.array([[0, 0, 2, 3, -1], [1, 1, 0, 1, -1], [2, 0, 1, 2, -1]], np.int32)
    graph = Graph(np.zeros(4), np.array([-1, 0, 1, 2], np.int32), link, np.zeros((3, 2)))
    both = RowScores(SCORE, np.tile(REORDERING, 2), np.array([False, True]))
    start, end = link[:, [START, END]].T.astype(np.int64)
    turns = search_turns(np.zeros(3, np.int64), start.copy(), end.copy())
    assert turns.tolist() == [[2, -1], [2, 1], [0, 0]]
    value = feature_values(np.array([0, 3]), np.arange(3), graph, INFO, both, turns)
    assert value[0, 6:12].tolist() == [-6, 0, -8 - 2, -3, 0, -11]
    assert value[0, 12:].tolist() == [-6, 0, -8 - 2, -3, -10, 0]
    by_arc = arc_features(useful_arcs(graph), graph, INFO, both, 3)
    np.testing.assert_array_equal(by_arc.sum(axis=0), value[0])


def test_without_reordering_there_are_six_features_and_the_scores():
    none = RowScores(SCORE, np.zeros((len(SCORE), 0), np.float32), np.zeros(0, np.bool_))
    assert n_values(none) == 6
    assert n_values(ROWS) == 12
    value = feature_values(np.array([0, 2]), np.array([0, 2]), two_ways(), INFO, none, NO_TURNS)
    assert value.tolist() == [[2, 0, -3, 2, -100, -2]]
