"""Derivations as they are found, and the strings that those of a node have said."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.graph.derivations import (
    FOLLOWING,
    add_derivation,
    best_derivations,
    has_new_words,
    with_more_room,
)
from campanula.stages.kernels.graph.paths import ARC, BEFORE
from campanula.stages.kernels.memory import ROOM
from campanula.stages.kernels.records import Graph

# Nodes 0 -> 1 -> 2 and 0 -> 2; two arcs into 1 are as good, and the oldest counts.
LINK = np.array([[0, 0, 0, 1, -1], [0, 1, 0, 1, 0], [1, 2, 1, 2, -1], [0, 3, 0, 2, 2]], np.int32)
VALUE = np.array([[1.0, 0.0], [1.0, 0.0], [1.5, 0.0], [2.0, 0.0]])
GRAPH = Graph(np.array([0.0, 1.0, 2.0]), np.array([-1, 1, 3], np.int32), LINK, VALUE)
INFO = np.array([[0, 1, 0], [0, 1, 1], [0, 1, 2], [0, 2, 0]], np.int32)
WORD = np.array([4, 5, 5], np.int32)  # option 3 says what 0 and 2 say


@pytest.mark.parametrize("distinct", [False, True])
def test_the_best_derivation_of_every_node(distinct):
    found = best_derivations(GRAPH, INFO, WORD, distinct)
    assert found.size.tolist() == [3]
    assert found.step[:3].tolist() == [[-1, -1, -1], [0, 0, -1], [3, 0, -1]]
    assert found.score[:3].tolist() == [0.0, 1.0, 2.0]
    assert (len(found.slots) > 0) == (len(found.key) > 0) == distinct


def test_a_string_is_new_to_a_node_once():
    found = best_derivations(GRAPH, INFO, WORD, True)
    assert not has_new_words(found, 2, 2, 1, LINK, INFO, WORD)  # option 3's two words
    assert has_new_words(found, 1, 1, 0, LINK, INFO, WORD)
    new = add_derivation(found, 1, 0, 0.5)
    assert new == 3
    assert not has_new_words(found, 1, 1, 0, LINK, INFO, WORD)
    assert has_new_words(found, 2, 2, new, LINK, INFO, WORD)


def test_what_is_there_stays_as_derivations_grow():
    found = best_derivations(GRAPH, INFO, WORD, True)
    word, n = np.arange(6 * ROOM, dtype=np.int32), 4 * ROOM
    info = np.array([[0, 1, place] for place in range(6 * ROOM)], np.int32)
    link = np.zeros((6 * ROOM, 5), np.int32)
    link[:, 1] = np.arange(6 * ROOM)
    for k in range(n):
        if found.size[0] == len(found.score):
            found = with_more_room(found)
        assert has_new_words(found, 1, k + 10, 0, link, info, word)
        assert add_derivation(found, k + 10, 0, k / 8) == k + 3
    assert found.score[3 : n + 3].tolist() == [k / 8 for k in range(n)]
    assert found.step[3 : n + 3, ARC].tolist() == list(range(10, n + 10))
    assert found.step[3 : n + 3, [BEFORE, FOLLOWING]].tolist() == [[0, -1]] * n
    for k in range(n):
        assert not has_new_words(found, 1, k + 10, 0, link, info, word)
