"""The candidates of a stack: cells of its grids in a heap, best estimate first.

A grid is a group of nodes and the options of a span; cell (a, b) of grid c is node a of the group
before option b, and the heap holds it as one number.  Cells are drawn in the order of estimates

    score(node) + score(option) + cost of the jump + rest(coverage) + scores of the orientations

The heap begins with (0, 0) of each grid; when (a, b) is drawn, (a, b + 1) enters, and if b is 0
also (a + 1, 0), so that each cell enters once (Huang and Chiang 2007).  No estimate asks a language
model, so candidates are drawn many at a time, before any of them is scored.
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

# A cell is one number, so that the heap moves no more than it and its estimate: the grid, then row
# (node) and column (option) of 20 bits each.
BITS = 20
LAST = (1 << BITS) - 1


@njit(**LEAN, inline="always")
def estimate(
    grid: int, node: int, place: int, cubes: Cubes, nodes: Nodes, outlook: Outlook
) -> float:
    """Return the estimate of a node before the option at a place of Outlook, in a grid."""
    back = outlook.back
    forth = nodes.forth
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
    """Fill the heap with the first cells of all grids."""
    for grid in range(n_cubes):
        node, place = cubes.info[grid, CUBE_NODE], cubes.info[grid, CUBE_FIRST]
        first = estimate(grid, node, place, cubes, nodes, outlook)
        sift_up(heap.value, heap.cell, grid, first, grid << 2 * BITS)
    heap.size[0] = n_cubes
    heap.value[n_cubes] = -np.inf  # sentinel behind the last: see replace_best


@njit(**LEAN)
def draw(
    most: int, heap: Candidates, cubes: Cubes, nodes: Nodes, outlook: Outlook, drawn: Drawn
) -> int:
    """Draw at most `most` candidates, best estimate first, and return their number."""
    info = cubes.info
    option = outlook.option
    value = heap.value
    cell = heap.cell
    size = heap.size[0]
    n = 0
    while n < most and size > 0:
        number = cell[0]
        grid = natural(number >> 2 * BITS)
        row = (number >> BITS) & LAST
        column = number & LAST
        node = natural(info[grid, CUBE_NODE] + row)
        place = natural(info[grid, CUBE_FIRST] + column)
        drawn.estimate[n] = value[0]
        drawn.grid[n] = grid
        drawn.node[n] = node
        drawn.option[n] = option[place]
        n += 1
        # the next option takes the place of the best at once: cheaper than to remove and to add
        if column + 1 < info[grid, CUBE_OPTIONS]:
            following = estimate(grid, node, place + 1, cubes, nodes, outlook)
            replace_best(value, cell, size, following, number + 1)
        else:
            size -= 1
            moved = value[size]
            value[size] = -np.inf
            if size > 0:
                replace_best(value, cell, size, moved, cell[size])
        # only the first column leads to the next row: each cell has one way in
        if column == 0 and row + 1 < info[grid, CUBE_NODES]:
            following = estimate(grid, node + 1, place, cubes, nodes, outlook)
            sift_up(value, cell, size, following, number + (1 << BITS))
            size += 1
            value[size] = -np.inf
    heap.size[0] = size
    return n


@njit(**LEAN, inline="always")
def replace_best(value: Floats, cell: Ints, size: int, new: float, item: int) -> None:
    """Replace the heap's best by an item, as sift_down of kernels/memory.py does.

    value[size] must be -inf: then the last child has a sibling to compare it with.
    """
    place = 0
    child = 1
    while child < size:
        child = natural(child)
        # the better child by arithmetic: a branch would be mispredicted half the time
        child = natural(child + (value[child + 1] > value[child]))
        if value[child] <= new:
            break
        value[place], cell[place] = value[child], cell[child]
        place = child
        child = 2 * place + 1
    value[place] = new
    cell[place] = item
