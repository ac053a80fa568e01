"""The candidates of a stack: cells of its grids in a heap, best estimate first.

A grid is a group of nodes and the options of a span; cell (a, b) of grid c is node a of the group
before option b, and stands in the heap as one number.  Cells are handed out by their estimates

    score(node) + score(option) + cost of the jump + rest(coverage) + score of the orientation

after (0, 0) of each grid (a, b) brings (a, b + 1), and (a, 0) also (a + 1, 0), so that each cell
is offered once (Huang and Chiang 2007).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.memory import sift_down, sift_up
from campanula.stages.kernels.records import (
    BACKWARD,
    CUBE_FIRST,
    CUBE_GROUP,
    CUBE_OPTIONS,
    CUBE_ORIENTATION,
    FIRST_NODE,
    FORWARD,
    JUMP,
    N_NODES,
    REST,
    Cubes,
    Nodes,
    Options,
    Outlook,
)

PLACE = (1 << 20) - 1


class Candidates(NamedTuple):
    """A heap of cells, the first `size` of value (n,), estimates, and cell (n,); size (1,)."""

    value: Floats
    cell: Ints
    size: Ints


@njit(cache=True, nogil=True, inline="always")
def estimate(
    c: int, node: int, x: int, cubes: Cubes, nodes: Nodes, outlook: Outlook, options: Options
) -> float:
    """Estimate of a node before local option x in grid c."""
    forward, column = nodes.option[node], cubes.info[c, CUBE_ORIENTATION]
    total = nodes.score[node] + (cubes.value[c, JUMP] + cubes.value[c, REST]) + outlook.value[x]
    total += options.score[outlook.option[x], BACKWARD + column]
    if forward >= 0:
        total += options.score[forward, FORWARD + column]
    return float(total)


@njit(cache=True, nogil=True)
def first_candidates(
    most: int, n_cubes: int, cubes: Cubes, group: Ints, nodes: Nodes, outlook: Outlook,
    options: Options,
) -> Candidates:  # fmt: skip
    """Heap of the first cells of all grids, with room for `most` that are handed out."""
    value, cell = np.empty(n_cubes + most + 1), np.empty(n_cubes + most + 1, dtype=np.int64)
    size = np.zeros(1, dtype=np.int64)
    for c in range(n_cubes):
        node = group[cubes.info[c, CUBE_GROUP], FIRST_NODE]
        first = estimate(c, node, cubes.info[c, CUBE_FIRST], cubes, nodes, outlook, options)
        sift_up(value, cell, c, first, c << 40)
    size[0] = n_cubes
    return Candidates(value, cell, size)


@njit(cache=True, nogil=True, inline="always")
def hand_on(
    c: int, a: int, b: int, node: int, x: int, heap: Candidates, cubes: Cubes, group: Ints,
    nodes: Nodes, outlook: Outlook, options: Options,
) -> None:  # fmt: skip
    """Replace the best cell by the next option, and where it was the first also the next node.

    The best is (a, b) of grid c: a node before local option x.
    """
    best, size = heap.cell[0], heap.size[0]
    if b + 1 < cubes.info[c, CUBE_OPTIONS]:
        following = estimate(c, node, x + 1, cubes, nodes, outlook, options)
        sift_down(heap.value, heap.cell, size, following, best + 1)
    else:
        size -= 1
        if size > 0:
            sift_down(heap.value, heap.cell, size, heap.value[size], heap.cell[size])
    if b == 0 and a + 1 < group[cubes.info[c, CUBE_GROUP], N_NODES]:
        following = estimate(c, node + 1, x, cubes, nodes, outlook, options)
        sift_up(heap.value, heap.cell, size, following, best + (1 << 20))
        size += 1
    heap.size[0] = size
