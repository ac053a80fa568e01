"""The best paths to each node of a lattice, in lists that grow node by node."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.memory import grown

ARC, BEFORE = range(2)  # columns of BestPaths.step
LEFT, RIGHT = range(2)  # columns of BestPaths.key
ROOM = 1024  # for paths, at first


class BestPaths(NamedTuple):
    """Node v has the paths begin[v]:begin[v + 1], best first; begin (n_nodes + 1,).

    score (room,); step (room, 2): the last ARC, and the path BEFORE it, -1 for the empty path; key
    (room, 2): LEFT and RIGHT hash of the words; history (room, n) what features that look back ask
    of the path (kernels/sparse/seams.py).
    """

    begin: Ints
    score: Floats
    step: Ints
    key: Ints
    history: Ints


@njit(cache=True, nogil=True)
def empty_path(n_nodes: int, history: Ints) -> BestPaths:
    """The list of the first node, which has the empty path alone; history (1, n) is that of it."""
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
    """The paths with room for one more than n_paths."""
    return BestPaths(
        paths.begin,
        grown(paths.score, n_paths + 1),
        grown(paths.step, n_paths + 1),
        grown(paths.key, n_paths + 1),
        grown(paths.history, n_paths + 1),
    )


@njit(cache=True, nogil=True)
def sort_rows(order: Ints, begin: int, array: NDArray[Any]) -> None:
    """Put the rows from `begin` on into an order of them."""
    copy = array[begin : begin + len(order)].copy()
    for i in range(len(order)):
        array[begin + i] = copy[order[i]]


@njit(cache=True, nogil=True)
def sort_list(paths: BestPaths, begin: int, end: int) -> None:
    """Put the list of a node into the order of its scores, the oldest of equals first."""
    order = np.argsort(-paths.score[begin:end], kind="mergesort")
    paths.score[begin:end] = paths.score[begin:end][order]
    sort_rows(order, begin, paths.step)
    sort_rows(order, begin, paths.key)
    sort_rows(order, begin, paths.history)
