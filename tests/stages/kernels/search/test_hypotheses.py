"""The growing graph keeps what it holds, and ends without room."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.search.hypotheses import (
    empty_hypothesis,
    finished,
    with_arc_room,
    with_node_room,
)
from campanula.stages.kernels.search.records import ARCS, HISTORIES, NODES
from campanula.stages.kernels.search.room import room_for_stack
from tests.stages.kernels.search.sentences import sentence_of


@pytest.mark.parametrize("split", [0, 1])
def test_nothing_is_translated_at_the_start(split):
    hypotheses = empty_hypothesis(sentence_of(3, split=split))
    assert hypotheses.size.tolist() == [1, 1, 0, 1, 1]
    assert hypotheses.group[0].tolist() == [0, 0, 0, -1, 0, 1]
    assert hypotheses.stack_group[:2].tolist() == [0, 1]
    graph = finished(hypotheses)
    assert graph.node_score.tolist() == [0.0]
    assert graph.first_arc.tolist() == [-1]
    assert graph.arc_value.shape == (0, 2 + split)


def test_room_is_made_for_arcs_histories_and_nodes():
    hypotheses = empty_hypothesis(sentence_of(3))
    hypotheses.link[0] = np.arange(5)
    hypotheses.size[ARCS] = 1
    larger = with_arc_room(hypotheses, 10_000, True)
    assert len(larger.link) > 10_000
    assert len(larger.value) == len(larger.link)
    assert len(larger.history) >= larger.size[HISTORIES] + 10_000
    assert larger.link[0].tolist() == [0, 1, 2, 3, 4]
    stack = room_for_stack(5000, False, False)
    stack.size[:] = 600, 5000, 1
    larger = with_node_room(larger, stack)
    assert len(larger.nodes.score) >= larger.size[NODES] + 5000
    assert len(larger.group) >= 601
    assert larger.nodes.arc[0] == -1
    assert finished(larger).link.tolist() == [[0, 1, 2, 3, 4]]
