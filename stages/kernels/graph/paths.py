"""Paths through a graph, each given by its arcs from the graph's start on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.compiled import njit

ARC, BEFORE = range(2)  # columns of a step: its arc, and the step before it


class Paths(NamedTuple):
    """Path h has the arcs arc[offset[h]:offset[h + 1]]; offset (n_paths + 1,)."""

    offset: Ints
    arc: Ints


@njit(cache=True, nogil=True)
def paths_to(ends: Ints, step: Ints) -> Paths:
    """Return the paths that end with the given steps.

    step (n, 2 or more): the ARC of a step and the step BEFORE it; the first step of all has arc -1.
    """
    # steps lead backward: first the lengths, then the arcs from the end of each path on
    offset = np.zeros(len(ends) + 1, dtype=np.int64)
    for i in range(len(ends)):
        length = 0
        x = ends[i]
        while step[x, ARC] >= 0:
            length += 1
            x = step[x, BEFORE]
        offset[i + 1] = offset[i] + length
    arc = np.empty(offset[-1], dtype=np.int64)
    for i in range(len(ends)):
        place = offset[i + 1]
        x = ends[i]
        while step[x, ARC] >= 0:
            place -= 1
            arc[place] = step[x, ARC]
            x = step[x, BEFORE]
    return Paths(offset, arc)


@njit(cache=True, nogil=True)
def path_sums(paths: Paths, value: Floats) -> Floats:
    """Return sums (n_values, n_paths) of values (n_values, n_arcs) along paths, start to end."""
    # added one by one from the start: equal paths have equal sums to the last bit
    offset, arc = paths
    total = np.zeros((value.shape[0], len(offset) - 1))
    for k in range(value.shape[0]):
        for h in range(len(offset) - 1):
            for s in range(offset[h], offset[h + 1]):
                total[k, h] += value[k, arc[s]]
    return total
