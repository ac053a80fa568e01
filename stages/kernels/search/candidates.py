"""The candidates of a stack: cells of its grids in a heap, best estimate first.

A grid is a group of nodes and the options of a span; cell (a, b) of grid c is node a of the group
before option b, and stands in the heap as one number.  Cells are handed out by their estimates

    score(node) + score(option) + cost of the jump + rest(coverage) + scores of the orientations

after (0, 0) of each grid (a, b) brings (a, b + 1), and (a, 0) also (a + 1, 0), so that each cell
is offered once (Huang and Chiang 2007).
"""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.memory import sift_down, sift_up
from campanula.stages.kernels.records import BACKWARD, FORWARD, H_BACKWARD, H_FORWARD, Sentence
from campanula.stages.kernels.search.records import (
    CUBE_BACK,
    CUBE_FIRST,
    CUBE_FORTH,
    CUBE_GROUP,
    CUBE_OPTIONS,
    CUBE_ORIENTATION,
    FIRST_NODE,
    JUMP,
    N_NODES,
    REST,
    Candidates,
    Cell,
    Cubes,
    Hypotheses,
)
from campanula.stages.kernels.wide import wide

BITS = 20  # of a row and of a column in the number of a cell
LAST = (1 << BITS) - 1


@njit(cache=True, nogil=True, inline="always")
def estimate(
    grid: int, node: int, place: int, cubes: Cubes, hypotheses: Hypotheses, sentence: Sentence
) -> float:
    """Estimate of a node before the option at a place of Outlook, in a grid."""
    nodes, outlook, score = hypotheses.nodes, sentence.outlook, sentence.options.score
    before = nodes.option[node]
    orientation = cubes.info[grid, CUBE_ORIENTATION]
    total = nodes.score[node] + (cubes.value[grid, JUMP] + cubes.value[grid, REST])
    total += outlook.value[place]
    total += score[outlook.option[place], BACKWARD + orientation]
    if before >= 0:
        total += score[before, FORWARD + orientation]
    if score.shape[1] > H_BACKWARD:
        total += score[outlook.option[place], H_BACKWARD + cubes.info[grid, CUBE_BACK]]
        if before >= 0:
            total += score[before, H_FORWARD + cubes.info[grid, CUBE_FORTH]]
    return float(total)


@njit(cache=True, nogil=True)
def first_candidates(
    most: int, cubes: Cubes, hypotheses: Hypotheses, sentence: Sentence
) -> Candidates:
    """Heap of the first cells of all grids, with room for `most` that are handed out."""
    n_cubes = len(cubes.info)
    value = np.empty(n_cubes + most + 1)
    cell = np.empty(n_cubes + most + 1, dtype=np.int64)
    size = np.zeros(1, dtype=np.int64)
    for grid in range(n_cubes):
        node = hypotheses.group[cubes.info[grid, CUBE_GROUP], FIRST_NODE]
        place = cubes.info[grid, CUBE_FIRST]
        first = estimate(grid, node, place, cubes, hypotheses, sentence)
        sift_up(value, cell, grid, first, grid << 2 * BITS)
    size[0] = n_cubes
    return Candidates(value, cell, size)


@njit(cache=True, nogil=True, inline="always")
def best_cell(heap: Candidates, cubes: Cubes, hypotheses: Hypotheses, sentence: Sentence) -> Cell:
    """The cell with the best estimate."""
    cell = heap.cell[0]
    grid, row, column = cell >> 2 * BITS, (cell >> BITS) & LAST, cell & LAST
    node = hypotheses.group[cubes.info[grid, CUBE_GROUP], FIRST_NODE] + row
    place = cubes.info[grid, CUBE_FIRST] + column
    return Cell(grid, row, column, node, place, wide(sentence.outlook.option[place]))


@njit(cache=True, nogil=True, inline="always")
def hand_on(
    cell: Cell, heap: Candidates, cubes: Cubes, hypotheses: Hypotheses, sentence: Sentence
) -> None:
    """Replace the best cell by the next option, and where it was the first also the next node."""
    grid, row, column, node, place, _ = cell
    number = heap.cell[0]
    size = heap.size[0]
    if column + 1 < cubes.info[grid, CUBE_OPTIONS]:
        following = estimate(grid, node, place + 1, cubes, hypotheses, sentence)
        sift_down(heap.value, heap.cell, size, following, number + 1)
    else:
        size -= 1
        if size > 0:
            sift_down(heap.value, heap.cell, size, heap.value[size], heap.cell[size])
    if column == 0 and row + 1 < hypotheses.group[cubes.info[grid, CUBE_GROUP], N_NODES]:
        following = estimate(grid, node + 1, place, cubes, hypotheses, sentence)
        sift_up(heap.value, heap.cell, size, following, number + (1 << BITS))
        size += 1
    heap.size[0] = size
