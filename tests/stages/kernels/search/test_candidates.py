"""The heap of candidates: every cell once, and best first where estimates descend."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.records import Outlook
from campanula.stages.kernels.search.candidates import draw, estimate, first_candidates
from campanula.stages.kernels.search.records import (
    COLUMNS_OF_CUBES,
    CUBE_FIRST,
    CUBE_NODE,
    CUBE_NODES,
    CUBE_OPTIONS,
    CUBE_ORIENTATION,
    Cubes,
    Nodes,
)
from campanula.stages.kernels.search.room import room_for_drawn, room_for_heap

SHAPES = [(1, 1), (3, 1), (1, 4), (3, 5)]  # nodes and options of each grid


def grids(rng: np.random.Generator, forward: bool) -> tuple[Cubes, Nodes, Outlook]:
    """Grids of SHAPES, nodes and options best first; `forward`: with scores of orientations."""
    n_nodes, n_options = (sum(column) for column in zip(*SHAPES, strict=True))
    info = np.zeros((len(SHAPES), COLUMNS_OF_CUBES), np.int64)
    score, value = np.zeros(n_nodes), np.zeros(n_options)
    node = option = 0
    for c, (height, width) in enumerate(SHAPES):
        info[c, [CUBE_NODE, CUBE_NODES]] = node, height
        info[c, [CUBE_FIRST, CUBE_OPTIONS]] = option, width
        info[c, CUBE_ORIENTATION] = rng.integers(3)
        score[node : node + height] = -np.sort(rng.random(height))
        value[option : option + width] = -np.sort(rng.random(width))
        node, option = node + height, option + width
    none = np.zeros(n_nodes, np.int32)
    forth = -rng.random((n_nodes, 3)) if forward else np.zeros((n_nodes, 3))
    back = -rng.random((n_options, 3)) if forward else np.zeros((n_options, 3))
    places = np.arange(n_options, dtype=np.int32)[::-1].copy()
    flat, no_spans = np.zeros((0, 0)), np.zeros((0, 0), np.int32)
    starts = np.zeros((0, 0), np.int64)
    outlook = Outlook(no_spans, no_spans, places, value, flat, np.zeros(0), back, starts)
    nodes = Nodes(score, none, none, none, forth)
    return Cubes(info, -rng.random((len(SHAPES), 2))), nodes, outlook


def handed_out(
    cubes: Cubes, nodes: Nodes, outlook: Outlook, together: int = 3
) -> list[tuple[tuple[int, int, int], float]]:
    """All cells in the order of the heap, with their estimates."""
    most = sum(height * width for height, width in SHAPES)
    heap = room_for_heap(most + len(SHAPES))
    first_candidates(len(SHAPES), heap, cubes, nodes, outlook)
    drawn = room_for_drawn(together, 1)
    found = []
    while n := draw(together, heap, cubes, nodes, outlook, drawn):
        for x in range(n):
            grid, node = int(drawn.grid[x]), int(drawn.node[x])
            place = outlook.option.tolist().index(drawn.option[x])
            value = estimate(grid, node, place, cubes, nodes, outlook)
            assert value == drawn.estimate[x]
            row = node - cubes.info[grid, CUBE_NODE]
            found.append(((grid, row, place - cubes.info[grid, CUBE_FIRST]), value))
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


def test_it_does_not_matter_how_many_are_drawn_together():
    for seed in range(5):
        given = grids(np.random.default_rng(seed), True)
        assert handed_out(*given, together=1) == handed_out(*given, together=100)


def test_an_estimate_adds_the_orientation_from_both_sides():
    cubes, nodes, outlook = grids(np.random.default_rng(1), True)
    c = len(SHAPES) - 1
    node, place = cubes.info[c, CUBE_NODE] + 1, cubes.info[c, CUBE_FIRST] + 2
    o = cubes.info[c, CUBE_ORIENTATION]
    expected = nodes.score[node] + cubes.value[c].sum() + outlook.value[place]
    expected += outlook.back[place, o] + nodes.forth[node, o]
    found = estimate(c, node, place, cubes, nodes, outlook)
    assert found == pytest.approx(expected)
