"""States of the search for an alignment, in layers: one for each word of the hypothesis.

A state says which module has taken each word of the reference, and where the word before was mapped
to.  Of equal states the one of the lowest cost is kept; costs are rows that are compared by their
first differing column.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.memory import free_slots
from campanula.stages.kernels.wide import wide

EXACT_CROSSINGS, STEM_CROSSINGS, LEFT, CROSSINGS, CHUNKS, N_COSTS = range(6)
"""Columns of costs, the first the most important; LEFT is minus the number of synonyms."""

SIZE, WAS_CUT, WIDTH = range(3)  # columns of a layer's size

CAPACITY = 4  # times its width that a layer holds before it is cut: sorting less often is faster


class Layer(NamedTuple):
    """States after a word of the hypothesis.

    For `capacity` states: taken (capacity, m): the module that has taken each word of the
    reference; cost (capacity, N_COSTS); last (capacity,): place that the word before is mapped to,
    if the next word may continue its chunk; slots (power of two,): a hash table of states.  size
    (3,): SIZE, the number of states; WAS_CUT, 1 if some were cut; WIDTH, how many a cut leaves.
    """

    taken: Bytes
    cost: Ints
    last: Ints
    slots: Ids
    size: Ints


class GrowingState(NamedTuple):
    """A state that is being made, taken (m,) and cost (N_COSTS,), and the bound of its cost.

    Only the first bounded[0] columns of bound (N_COSTS,) hold; a state whose cost is above is
    dropped.
    """

    taken: Bytes
    cost: Ints
    bound: Ints
    bounded: Ints


@njit(cache=True, nogil=True)
def new_step(n_ref: int) -> GrowingState:
    """Return a state for references of up to n_ref words, without a bound."""
    return GrowingState(
        np.zeros(n_ref, np.uint8),
        np.zeros(N_COSTS, np.int64),
        np.zeros(N_COSTS, np.int64),
        np.zeros(1, np.int64),
    )


@njit(cache=True, nogil=True)
def new_layer(width: int, n_ref: int) -> Layer:
    """Return an empty layer of `width` states for references of up to n_ref words."""
    capacity = CAPACITY * width + n_ref + 1  # one state is followed by at most n_ref + 1
    size = np.zeros(3, np.int64)
    size[WIDTH] = width
    return Layer(
        np.zeros((capacity, n_ref), np.uint8),
        np.zeros((capacity, N_COSTS), np.int64),
        np.zeros(capacity, np.int64),
        free_slots(capacity),
        size,
    )


@njit(**LEAN)
def cheaper(a: Ints, b: Ints, n_columns: int) -> bool:
    """Whether costs a are below b in the first of n_columns columns that differs."""
    for k in range(n_columns):
        if a[k] != b[k]:
            return bool(a[k] < b[k])
    return False


@njit(**LEAN)
def _find(layer: Layer, taken: Bytes, last: int) -> int:
    """Place of a state in a layer; if it is not there, -1 - the free slot where it belongs."""
    mask = len(layer.slots) - 1
    code = wide(last) + 2
    for j in range(len(taken)):
        # 40 bits: the product stays within 64, in Python as in machine code
        code = (code * 31 + wide(taken[j])) & 0xFFFFFFFFFF
    slot = (code ^ (code >> 17)) & mask
    while True:
        state = wide(layer.slots[slot])
        if state < 0:
            return int(-1 - slot)
        same = layer.last[state] == last
        j = 0
        while same and j < len(taken):
            same = layer.taken[state, j] == taken[j]
            j += 1
        if same:
            return int(state)
        slot = (slot + 1) & mask


@njit(**LEAN)
def copy(layer: Layer, state: int, step: GrowingState, n_ref: int) -> None:
    """Copy a state of a layer to a step."""
    # loops: for slices, Numba first tests whether they overlap and have one length
    for j in range(n_ref):
        step.taken[j] = layer.taken[state, j]
    for k in range(N_COSTS):
        step.cost[k] = layer.cost[state, k]


@njit(**LEAN)
def _put(layer: Layer, place: int, taken: Bytes, cost: Ints) -> None:
    for j in range(len(taken)):
        layer.taken[place, j] = taken[j]
    for k in range(N_COSTS):
        layer.cost[place, k] = cost[k]


@njit(**LEAN)
def add(layer: Layer, step: GrowingState, n_ref: int, last: int) -> None:
    """Add a step's state, or lower the cost of an equal one, if its cost is within the bound."""
    taken = step.taken[:n_ref]
    cost = step.cost
    if cheaper(step.bound, cost, step.bounded[0]):
        return
    place = _find(layer, taken, last)
    if place >= 0:
        if cheaper(cost, layer.cost[place], N_COSTS):
            _put(layer, place, taken, cost)
        return
    state = layer.size[SIZE]
    layer.slots[-1 - place] = state
    _put(layer, state, taken, cost)
    layer.last[state] = last
    layer.size[SIZE] += 1


@njit(**LEAN)
def clear(layer: Layer) -> None:
    """Take all states out of a layer."""
    layer.slots[:] = -1
    layer.size[SIZE] = 0


@njit(**LEAN)
def _sort(order: Ints, cost: Ints) -> None:
    """Sort states by their costs, the older of equals first."""
    # Shell's sort: short, and in place; NumPy's sorts do not compare rows in kernels
    gap = len(order) // 2
    while gap > 0:
        for i in range(gap, len(order)):
            state = order[i]
            k = i
            while k >= gap:
                other = order[k - gap]
                if cheaper(cost[other], cost[state], N_COSTS):
                    break
                if other < state and not cheaper(cost[state], cost[other], N_COSTS):
                    break
                order[k] = other
                k -= gap
            order[k] = state
        gap //= 2


@njit(cache=True, nogil=True)
def cut(layer: Layer, n_ref: int) -> None:
    """Keep the `width` cheapest states of a layer, in their order."""
    size, width = layer.size[SIZE], layer.size[WIDTH]
    if size <= width:
        return
    order = np.arange(size)
    _sort(order, layer.cost)
    survives = np.zeros(size, np.bool_)
    for i in range(width):
        survives[order[i]] = True
    clear(layer)
    layer.size[WAS_CUT] = 1
    # a state moves to its own place or an earlier one, so none is overwritten before it has moved
    for state in range(size):
        if survives[state]:
            taken = layer.taken[state, :n_ref]
            place = layer.size[SIZE]
            layer.slots[-1 - _find(layer, taken, layer.last[state])] = place
            _put(layer, place, taken, layer.cost[state])
            layer.last[place] = layer.last[state]
            layer.size[SIZE] += 1
