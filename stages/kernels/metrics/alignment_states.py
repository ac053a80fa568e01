"""States of the search for an alignment, in layers: one for each word of the hypothesis.

A state is what has been taken of the reference and where the word before went.  Of equal states the
one of the lowest cost is kept; costs are rows of which the first differing column counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.wide import wide

EXACT_CROSSINGS, STEM_CROSSINGS, LEFT, CROSSINGS, CHUNKS, N_COSTS = range(6)
"""Columns of costs, the first the most important; LEFT is minus the number of synonyms."""

SIZE, WAS_CUT, WIDTH = range(3)  # columns of a layer's size

ROOM = 4  # a layer holds so many times its width before it is cut back


class Layer(NamedTuple):
    """States after a word of the hypothesis.

    taken (room, m): the module that has taken each word of the reference; cost (room, N_COSTS);
    last (room,): where the word before is mapped to, if the next may go on from there; slots (power
    of two,) find a state by its hash.  size (3,): SIZE, the number of states; WAS_CUT, 1 if some
    were cut; WIDTH, to how many a layer is cut back.
    """

    taken: Bytes
    cost: Ints
    last: Ints
    slots: Ids
    size: Ints


class GrowingState(NamedTuple):
    """A state in the making: taken (m,) and cost (N_COSTS,); and what no cost may pass.

    bound (N_COSTS,) holds for its first bounded (1,) columns.
    """

    taken: Bytes
    cost: Ints
    bound: Ints
    bounded: Ints


@njit(cache=True, nogil=True)
def new_step(n_ref: int) -> GrowingState:
    """Room for states, without a bound."""
    return GrowingState(
        np.zeros(n_ref, np.uint8),
        np.zeros(N_COSTS, np.int64),
        np.zeros(N_COSTS, np.int64),
        np.zeros(1, np.int64),
    )


@njit(cache=True, nogil=True)
def new_layer(width: int, n_ref: int) -> Layer:
    """A layer of so many states, beside a reference of up to n_ref words."""
    room = ROOM * width + n_ref + 1  # a state is followed by at most n_ref + 1
    n_slots = 16
    while n_slots < 2 * room:
        n_slots *= 2
    size = np.zeros(3, np.int64)
    size[WIDTH] = width
    return Layer(
        np.zeros((room, n_ref), np.uint8),
        np.zeros((room, N_COSTS), np.int64),
        np.zeros(room, np.int64),
        np.full(n_slots, -1, np.int32),
        size,
    )


@njit(**LEAN)
def cheaper(a: Ints, b: Ints, n_columns: int) -> bool:
    """Whether costs a are below b in the first of so many columns that differs."""
    for k in range(n_columns):
        if a[k] != b[k]:
            return bool(a[k] < b[k])
    return False


@njit(**LEAN)
def _find(layer: Layer, taken: Bytes, last: int) -> int:
    """Place of a state in a layer; if there is none, -1 - the slot where it belongs."""
    mask = len(layer.slots) - 1
    code = wide(last) + 2
    for j in range(len(taken)):
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
    """Make a step's state that of a layer.  (Slices that are set are first compared: loops.)"""
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
    """Add the state of a step, or lower the cost of the equal one; none that passes the bound."""
    taken, cost = step.taken[:n_ref], step.cost
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
    """Sort states by their costs, the older of equals first; Shell's sort, as it is short."""
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
    """Keep the cheapest states of a layer, no more than its width, in their order."""
    size, width = layer.size[SIZE], layer.size[WIDTH]
    if size <= width:
        return
    order = np.arange(size)
    _sort(order, layer.cost)
    kept = np.zeros(size, np.bool_)
    for i in range(width):
        kept[order[i]] = True
    clear(layer)
    layer.size[WAS_CUT] = 1
    for state in range(size):
        if kept[state]:
            taken, place = layer.taken[state, :n_ref], layer.size[SIZE]
            layer.slots[-1 - _find(layer, taken, layer.last[state])] = place
            _put(layer, place, taken, layer.cost[state])
            layer.last[place] = layer.last[state]
            layer.size[SIZE] += 1
