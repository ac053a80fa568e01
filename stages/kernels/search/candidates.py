"""The candidates of a stack: cells of its grids in a heap, best estimate first.

A grid is a group of nodes and the options of a span; cell (a, b) of grid c is node a of the group
before option b, and stands in the heap as one number.  Cells are handed out by their estimates

    score(node) + score(option) + cost of the jump + rest(coverage) + scores of the orientations

after (0, 0) of each grid (a, b) brings (a, b + 1), and (a, 0) also (a + 1, 0), so that each cell
is offered once (Huang and Chiang 2007).  No estimate asks a language model, so candidates are drawn
many at a time, before any of them is scored.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.bits import natural
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.memory import sift_up
from campanula.stages.kernels.records import ORIENTATIONS, Outlook
from campanula.stages.kernels.search.records import (
    CUBE_BACK,
    CUBE_FIRST,
    CUBE_FORTH,
    CUBE_NODE,
    CUBE_NODES,
    CUBE_OPTIONS,
    CUBE_ORIENTATION,
    JUMP,
    REST,
    Candidates,
    Cubes,
    Drawn,
    Nodes,
)

BITS = 20  # of a row and of a column in the number of a cell
LAST = (1 << BITS) - 1


@njit(**LEAN, inline="always")
def estimate(
    grid: int, node: int, place: int, cubes: Cubes, nodes: Nodes, outlook: Outlook
) -> float:
    """Estimate of a node before the option at a place of Outlook, in a grid."""
    back, forth = outlook.back, nodes.forth
    orientation = natural(cubes.info[grid, CUBE_ORIENTATION])
    total = nodes.score[node] + (cubes.value[grid, JUMP] + cubes.value[grid, REST])
    total += outlook.value[place]
    total += back[place, orientation]
    total += forth[node, orientation]
    if back.shape[1] > ORIENTATIONS:
        total += back[place, ORIENTATIONS + cubes.info[grid, CUBE_BACK]]
        total += forth[node, ORIENTATIONS + cubes.info[grid, CUBE_FORTH]]
    return float(total)


@njit(**LEAN)
def first_candidates(
    n_cubes: int, heap: Candidates, cubes: Cubes, nodes: Nodes, outlook: Outlook
) -> None:
    """Make a heap of the first cells of all grids."""
    for grid in range(n_cubes):
        node, place = cubes.info[grid, CUBE_NODE], cubes.info[grid, CUBE_FIRST]
        first = estimate(grid, node, place, cubes, nodes, outlook)
        sift_up(heap.value, heap.cell, grid, first, grid << 2 * BITS)
    heap.size[0] = n_cubes
    heap.value[n_cubes] = -np.inf


@njit(**LEAN)
def draw(
    most: int, heap: Candidates, cubes: Cubes, nodes: Nodes, outlook: Outlook, drawn: Drawn
) -> int:
    """Draw at most `most` candidates, best estimate first; how many there were.

    The best cell gives way to the next option, and where it was the first also to the next node.
    """
    info, option, value, cell = cubes.info, outlook.option, heap.value, heap.cell
    size = heap.size[0]
    n = 0
    while n < most and size > 0:
        number = cell[0]
        grid, row, column = natural(number >> 2 * BITS), (number >> BITS) & LAST, number & LAST
        node = natural(info[grid, CUBE_NODE] + row)
        place = natural(info[grid, CUBE_FIRST] + column)
        drawn.estimate[n] = value[0]
        drawn.grid[n] = grid
        drawn.node[n] = node
        drawn.option[n] = option[place]
        n += 1
        if column + 1 < info[grid, CUBE_OPTIONS]:
            following = estimate(grid, node, place + 1, cubes, nodes, outlook)
            replace_best(value, cell, size, following, number + 1)
        else:
            size -= 1
            moved = value[size]
            value[size] = -np.inf
            if size > 0:
                replace_best(value, cell, size, moved, cell[size])
        if column == 0 and row + 1 < info[grid, CUBE_NODES]:
            following = estimate(grid, node + 1, place, cubes, nodes, outlook)
            sift_up(value, cell, size, following, number + (1 << BITS))
            size += 1
            value[size] = -np.inf
    heap.size[0] = size
    return n


@njit(**LEAN, inline="always")
def replace_best(value: Floats, cell: Ints, size: int, new: float, item: int) -> None:
    """Put an item in the place of the heap's best, as sift_down of kernels/memory.py does.

    value[size] is -inf, so the better child is reckoned without a branch, which would be
    mispredicted half the time.
    """
    place, child = 0, 1
    while child < size:
        child = natural(child)
        child = natural(child + (value[child + 1] > value[child]))
        if value[child] <= new:
            break
        value[place], cell[place] = value[child], cell[child]
        place = child
        child = 2 * place + 1
    value[place], cell[place] = new, item
