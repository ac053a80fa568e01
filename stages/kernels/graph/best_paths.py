"""Lists of the best paths to each node of a lattice, in arrays that grow node by node."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.memory import ROOM, grown

LEFT, RIGHT = range(2)  # columns of BestPaths.key


class BestPaths(NamedTuple):
    """Node v has the paths begin[v]:begin[v + 1], best first; begin (n_nodes + 1,).

    score (room,); step (room, 2): the last ARC, and the path BEFORE it, both -1 for the empty path;
    key (room, 2): LEFT and RIGHT hash of the words; history (room, n): what features that look back
    need to know of the path (kernels/sparse/seams.py).
    """

    begin: Ints
    score: Floats
    step: Ints
    key: Ints
    history: Ints


@njit(cache=True, nogil=True)
def empty_path(n_nodes: int, history: Ints) -> BestPaths:
    """Return the list of the first node: the empty path alone, whose history (1, n) is given."""
    begin = np.zeros(n_nodes + 1, dtype=np.int64)
    begin[1] = 1
    paths = BestPaths(
        begin,
        np.zeros(ROOM),
        np.empty((ROOM, 2), dtype=np.int64),
        np.zeros((ROOM, 2), dtype=np.int64),
        np.zeros((ROOM, history.shape[1]), dtype=np.int64),
    )
    paths.step[0] = -1
    paths.history[0] = history[0]
    return paths


@njit(cache=True, nogil=True)
def with_another(paths: BestPaths, n_paths: int) -> BestPaths:
    """Return the paths in arrays with room for one more than n_paths."""
    return BestPaths(
        paths.begin,
        grown(paths.score, n_paths + 1),
        grown(paths.step, n_paths + 1),
        grown(paths.key, n_paths + 1),
        grown(paths.history, n_paths + 1),
    )


@njit(cache=True, nogil=True)
def sort_rows(order: Ints, begin: int, array: NDArray[Any]) -> None:
    """Reorder the rows from `begin` on in place; the i-th of them was the order[i]-th."""
    # a copy, since rows are overwritten before they are moved
    copy = array[begin : begin + len(order)].copy()
    for i in range(len(order)):
        array[begin + i] = copy[order[i]]


@njit(cache=True, nogil=True)
def sort_list(paths: BestPaths, begin: int, end: int) -> None:
    """Sort the list of a node by score, the oldest of equals first."""
    # Numba sorts stably as "mergesort" only
    order = np.argsort(-paths.score[begin:end], kind="mergesort")
    paths.score[begin:end] = paths.score[begin:end][order]
    sort_rows(order, begin, paths.step)
    sort_rows(order, begin, paths.key)
    sort_rows(order, begin, paths.history)
