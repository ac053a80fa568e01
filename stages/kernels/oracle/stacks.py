"""The stacks of the oracle search: linked lists, newest member first, of which the best are used.

Stack 2 t + layer holds the nodes with t covered words; the last two hold arcs to whole
translations, which need no nodes as they are never extended.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.oracle.records import Stacks
from campanula.stages.kernels.wide import wide


@njit(cache=True, nogil=True)
def empty_stacks(n: int) -> Stacks:
    """Return stacks of a sentence of n words, with node 0 in the first and no other member."""
    head = np.full(2 * n + 2, -1, np.int64)
    size = np.zeros(2 * n + 2, np.int64)
    head[0], size[0] = 0, 1
    return Stacks(head, size, np.full(2 * n + 2, -1.0), np.zeros(2 * n + 2, np.int64))


@njit(cache=True, nogil=True)
def best_of(stacks: Stacks, stack: int, following: Ids, value: Floats, keep: int) -> Ints:
    """Return the `keep` best of a stack, best first, the oldest (lowest) of equals first."""
    size, x = stacks.size[stack], stacks.head[stack]
    member = np.empty(size, np.int64)
    for k in range(size - 1, -1, -1):  # from behind: the list has the newest first
        member[k] = x
        x = wide(following[x])
    order = np.argsort(-value[member], kind="mergesort")
    return member[order[:keep]]


@njit(cache=True, nogil=True)
def raise_least(stacks: Stacks, stack: int, following: Ids, value: Floats, keep: int) -> None:
    """Raise the value below which a stack takes no more members to that of its keep-th best."""
    size = stacks.size[stack]
    # only when `keep` more have come since the last time: sorting stays a small part of the work
    if size > keep and size - stacks.checked[stack] >= keep:
        best = best_of(stacks, stack, following, value, keep)
        stacks.least[stack] = value[best[keep - 1]]
        stacks.checked[stack] = size
