"""Values of arcs, and their sums along derivations."""

from __future__ import annotations

import numpy as np

from campanula.stages.decoding.dense_values import (
    NO_LOGS,
    arc_values,
    derivation_values,
    end_values,
    ends_before,
)
from campanula.stages.kernels import records
from campanula.stages.kernels.records import Graph

START, END = np.array([1, 0, 2], np.int32), np.array([2, 1, 3], np.int32)


def test_values_of_arcs():
    logs, before = np.arange(24.0).reshape(2, 4, 3), np.array([0, 2, 1])
    scores = np.array([[9.0, 5.0, 2.0], [9.0, 1.0, 1.0], [9.0, 0.0, 0.0]])
    value = arc_values(START, before, scores, logs, 1)
    assert value.tolist() == [[1, 6, 5], [13, 18, 17], [2, 1, 0], [3, 0, 0]]
    assert arc_values(START, before, scores, NO_LOGS, 1).tolist() == value[2:].tolist()
    assert arc_values(START, before, scores[:, :2], logs, 1).tolist() == value[:2].tolist()
    assert arc_values(START, before, scores[:, :2], NO_LOGS, 1).shape == (0, 3)


def test_values_of_several_models():
    scores = np.array([[9.0, 5.0, 7.0, 6.0, 2.0]])
    place, before = START[:1], np.array([0])
    assert arc_values(place, before, scores, NO_LOGS, 3).tolist() == [[7], [6], [2], [3]]
    assert arc_values(place, before, scores[:, :4], NO_LOGS, 3).tolist() == [[7], [6]]
    link = np.zeros((1, 5), np.int32)
    graph = Graph(np.zeros(1), np.zeros(1, np.int32), link, scores[:, :4])
    value = derivation_values(np.array([0, 1]), np.array([0]), graph, NO_LOGS, 3)
    assert value.tolist() == [[7, 6]]


def test_an_empty_sentence_has_the_ends_of_all_models():
    assert end_values(7, np.array([5.0])).tolist() == [5, 0, 0, 0, 0, 5, 0]
    assert end_values(7, np.array([5.0, 6.0, 7.0])).tolist() == [5, 0, 0, 6, 7, 5, 0]


def test_sums_of_derivations():
    link = np.zeros((3, 5), np.int32)
    link[:, records.START], link[:, records.END] = START, END
    scores = np.array([[9.0, 5.0, 2.0], [9.0, 1.0, 1.0], [9.0, 0.5, 0.0]])
    graph = Graph(np.zeros(1), np.zeros(1, np.int32), link, scores)
    offset, arc = np.array([0, 2, 3]), np.array([0, 1, 2])
    logs = np.arange(24.0).reshape(2, 4, 3)
    # 0 -> 1, 2 -> 0; 0 -> 2
    expected = [[1 + 6, 13 + 18, 3, 3], [2, 14, 0, 0.5]]
    assert derivation_values(offset, arc, graph, logs, 1).tolist() == expected
    none = graph._replace(arc_value=scores[:, :2])
    assert derivation_values(offset, arc, none, NO_LOGS, 1).shape == (2, 0)


def test_ends_before():
    assert ends_before(np.array([0, 2, 3]), np.array([4, 1, 3], np.int32)).tolist() == [0, 4, 0]
