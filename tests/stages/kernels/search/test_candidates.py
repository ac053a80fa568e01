"""The heap of candidates: every cell once, and best first where estimates descend."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.records import Cubes, Nodes, Options, Outlook
from campanula.stages.kernels.search.candidates import PLACE, estimate, first_candidates, hand_on

SHAPES = [(1, 1), (3, 1), (1, 4), (3, 5)]  # nodes and options of each grid


def grids(rng, forward):
    """Grids of SHAPES, nodes and options best first; `forward`: with scores of orientations."""
    n_nodes, n_options = (sum(column) for column in zip(*SHAPES, strict=True))
    group, info = np.zeros((len(SHAPES), 6), np.int64), np.zeros((len(SHAPES), 9), np.int64)
    score, value = np.zeros(n_nodes), np.zeros(n_options)
    node = option = 0
    for c, (height, width) in enumerate(SHAPES):
        group[c, 4:] = node, height
        info[c, :3], info[c, 5] = (c, option, width), rng.integers(3)
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
    options = Options(table, np.zeros((n_options, 6), np.int32), places, np.zeros(n_options + 1))
    return Cubes(info, -rng.random((len(SHAPES), 2))), group, nodes, outlook, options


def handed_out(cubes, group, nodes, outlook, options):
    """All cells in the order of the heap, with their estimates."""
    most = sum(height * width for height, width in SHAPES)
    heap = first_candidates(most, len(SHAPES), cubes, group, nodes, outlook, options)
    found = []
    while heap.size[0]:
        cell = int(heap.cell[0])
        c, a, b = cell >> 40, (cell >> 20) & PLACE, cell & PLACE
        node, x = group[cubes.info[c, 0], 4] + a, cubes.info[c, 1] + b
        value = estimate(c, node, x, cubes, nodes, outlook, options)
        assert value == heap.value[0]
        found.append(((c, a, b), value))
        hand_on(c, a, b, node, x, heap, cubes, group, nodes, outlook, options)
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
    cubes, group, nodes, outlook, options = grids(np.random.default_rng(1), True)
    c = len(SHAPES) - 1
    node, x, o = group[c, 4] + 1, cubes.info[c, 1] + 2, cubes.info[c, 5]
    expected = nodes.score[node] + cubes.value[c].sum() + outlook.value[x] + options.score[x, 2 + o]
    if nodes.option[node] >= 0:
        expected += options.score[nodes.option[node], 5 + o]
    assert estimate(c, node, x, cubes, nodes, outlook, options) == pytest.approx(expected)
