"""The heap of candidates: every cell once, and best first where estimates descend."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.records import BACKWARD, FORWARD, Options, Outlook
from campanula.stages.kernels.search.candidates import (
    best_cell,
    estimate,
    first_candidates,
    hand_on,
)
from campanula.stages.kernels.search.hypotheses import empty_hypothesis
from campanula.stages.kernels.search.records import (
    CUBE_FIRST,
    CUBE_GROUP,
    CUBE_OPTIONS,
    CUBE_ORIENTATION,
    FIRST_NODE,
    N_NODES,
    Cubes,
    Nodes,
)
from tests.stages.kernels.search.sentences import sentence_of

SHAPES = [(1, 1), (3, 1), (1, 4), (3, 5)]  # nodes and options of each grid


def grids(rng, forward):
    """Grids of SHAPES, nodes and options best first; `forward`: with scores of orientations."""
    n_nodes, n_options = (sum(column) for column in zip(*SHAPES, strict=True))
    group, info = np.zeros((len(SHAPES), 6), np.int64), np.zeros((len(SHAPES), 11), np.int64)
    score, value = np.zeros(n_nodes), np.zeros(n_options)
    node = option = 0
    for c, (height, width) in enumerate(SHAPES):
        group[c, [FIRST_NODE, N_NODES]] = node, height
        info[c, [CUBE_GROUP, CUBE_FIRST, CUBE_OPTIONS]] = c, option, width
        info[c, CUBE_ORIENTATION] = rng.integers(3)
        score[node : node + height] = -np.sort(rng.random(height))
        value[option : option + width] = -np.sort(rng.random(width))
        node, option = node + height, option + width
    before = rng.integers(-1, n_options, n_nodes).astype(np.int32)
    none = np.zeros(n_nodes, np.int32)
    nodes = Nodes(score, none, before if forward else none - 1, none, none)
    places = np.arange(n_options, dtype=np.int32)
    flat, none = np.zeros((0, 0)), np.zeros((0, 0), np.int32)
    outlook = Outlook(none, none, places, value, flat, np.zeros(0))
    table = -rng.random((n_options, 8)) if forward else np.zeros((n_options, 8))
    words = places.reshape(-1, 1), np.zeros((n_options + 1, 1))
    options = Options(table, np.zeros((n_options, 6), np.int32), *words)
    sentence = sentence_of(3, outlook=outlook, options=options)
    hypotheses = empty_hypothesis(sentence)._replace(nodes=nodes, group=group)
    return Cubes(info, -rng.random((len(SHAPES), 2))), hypotheses, sentence


def handed_out(cubes, hypotheses, sentence):
    """All cells in the order of the heap, with their estimates."""
    most = sum(height * width for height, width in SHAPES)
    heap = first_candidates(most, cubes, hypotheses, sentence)
    found = []
    while heap.size[0]:
        cell = best_cell(heap, cubes, hypotheses, sentence)
        value = estimate(cell.grid, cell.node, cell.place, cubes, hypotheses, sentence)
        assert value == heap.value[0]
        assert cell.option == sentence.outlook.option[cell.place]
        found.append(((cell.grid, cell.row, cell.column), value))
        hand_on(cell, heap, cubes, hypotheses, sentence)
    return found


@pytest.mark.parametrize("forward", [False, True])
def test_every_cell_is_handed_out_once(forward):
    for seed in range(5):
        cells = [cell for cell, _ in handed_out(*grids(np.random.default_rng(seed), forward))]
        expected = [
            (c, a, b)
            for c, (height, width) in enumerate(SHAPES)
            for a in range(height)
            for b in range(width)
        ]
        assert sorted(cells) == expected


def test_the_best_comes_first_where_estimates_descend_along_both_sides():
    for seed in range(5):
        values = [value for _, value in handed_out(*grids(np.random.default_rng(seed), False))]
        assert values == sorted(values, reverse=True)


def test_an_estimate_adds_the_orientation_from_both_sides():
    cubes, hypotheses, sentence = grids(np.random.default_rng(1), True)
    c = len(SHAPES) - 1
    node, place = hypotheses.group[c, FIRST_NODE] + 1, cubes.info[c, CUBE_FIRST] + 2
    o, nodes, score = cubes.info[c, CUBE_ORIENTATION], hypotheses.nodes, sentence.options.score
    expected = nodes.score[node] + cubes.value[c].sum() + sentence.outlook.value[place]
    expected += score[place, BACKWARD + o]
    if nodes.option[node] >= 0:
        expected += score[nodes.option[node], FORWARD + o]
    found = estimate(c, node, place, cubes, hypotheses, sentence)
    assert found == pytest.approx(expected)
