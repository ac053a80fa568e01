"""Batch k-best MIRA, one epoch (Cherry & Foster 2012, Algorithm 2 and section 3), compiled.

For list i, with B(j) = BLEU(b + stats_j) (r_b + r_j), b a decaying background of statistics:

    hope = argmax_j s_j + B(j)        fear = argmax_j s_j - B(j)        d = f_hope - f_fear
    loss = B(hope) - B(fear) - theta . d,    theta += min(C, loss / |d|^2) d    if it is positive
    b = decay b + stats_hope          where B(hope) > B(fear)

B scales BLEU by the reference length, so that a loss counts as a corpus does (Chiang et al. 2008).
Many hypotheses share statistics, so B is computed once for each distinct row of a list.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from stages.kernels.lists import Floats, Ids, Ints, Lists
from stages.kernels.mira import pop_norm
from stages.kernels.scores import add_row, score_list


class Rows(NamedTuple):
    """The distinct statistics of list i: stats[pointer[i]:pointer[i + 1]].

    Hypothesis h has those of place[h], counted from the first of its list.
    """

    pointer: Ints
    stats: Floats
    place: Ids


class State(NamedTuple):
    """What updates change: theta; weighted, the sum of t times update t; the background."""

    theta: Floats
    weighted: Floats
    background: Floats


@njit(cache=True, nogil=True)
def _same(one: Ints, other: Ints) -> bool:
    same = True
    for c in range(len(one)):
        same &= one[c] == other[c]
    return same


@njit(cache=True, nogil=True)
def distinct_rows(list_pointer: Ints, stats: Ints) -> Rows:
    """Distinct statistics of every list, in order of their first hypotheses."""
    pointer = np.zeros(len(list_pointer), np.int64)
    first, place = np.empty(len(stats), np.int64), np.empty(len(stats), np.int32)
    size = 16
    while size < 2 * np.diff(list_pointer).max():
        size *= 2
    slots = np.empty(size, np.int64)
    n = 0
    for i in range(len(list_pointer) - 1):
        slots[:] = -1
        for h in range(list_pointer[i], list_pointer[i + 1]):
            code = np.int64(0)
            for c in range(stats.shape[1]):
                code = (code * 31 + stats[h, c]) & 0xFFFFFFFF
            slot = (code ^ (code >> 15)) & (size - 1)
            while slots[slot] >= 0 and not _same(stats[first[slots[slot]]], stats[h]):
                slot = (slot + 1) & (size - 1)
            if slots[slot] < 0:
                slots[slot], first[n] = n, h
                n += 1
            place[h] = slots[slot] - pointer[i]
        pointer[i + 1] = n
    rows = np.empty((n, stats.shape[1]))
    for m in range(n):
        for c in range(stats.shape[1]):
            rows[m, c] = stats[first[m], c]
    return Rows(pointer, rows, place)


@njit(cache=True, nogil=True)
def scaled_bleu(row: Floats, background: Floats) -> float:
    """BLEU of a hypothesis's statistics added to the background, times the reference length."""
    c, r = row[0] + background[0], row[1] + background[1]
    match, total = 1.0, 1.0
    for n in range(2, 6):
        match *= row[n] + background[n]
        total *= row[n + 4] + background[n + 4]
    if c <= 0.0 or total <= 0.0:
        return 0.0
    penalty = math.exp(1.0 - r / c) if c < r else 1.0
    return float(r * penalty * math.sqrt(math.sqrt(match / total)))


@njit(cache=True, nogil=True)
def best(score: Floats) -> int:
    """Place of the highest score; ties go to the lower index."""
    place = 0
    for j in range(1, len(score)):
        if score[j] > score[place]:
            place = j
    return place


@njit(cache=True, nogil=True)
def hope_and_fear(score: Floats, place: Ids, gain: Floats) -> tuple[int, int]:
    """Places of the highest score + gain and score - gain; place (n,) says whose gain."""
    hope = fear = 0
    for j in range(1, len(score)):
        g = gain[place[j]]
        if score[j] + g > score[hope] + gain[place[hope]]:
            hope = j
        if score[j] - g > score[fear] - gain[place[fear]]:
            fear = j
    return hope, fear


@njit(cache=True, nogil=True)
def step(
    lists: Lists, i: int, hope: int, fear: int, loss: float, C: float, t: int, free: Floats,
    state: State, direction: Floats,
) -> bool:  # fmt: skip
    """Update t, by list i; False, and no update, if hope and fear have the same free features."""
    add_row(lists, i, hope, 1.0, free, direction)
    add_row(lists, i, fear, -1.0, free, direction)
    norm = pop_norm(lists, i, np.array([hope, fear]), direction)
    if norm == 0.0:
        return False
    eta = min(C, loss / norm)
    for row, sign in ((hope, eta), (fear, -eta)):
        add_row(lists, i, row, sign, free, state.theta)
        add_row(lists, i, row, sign * t, free, state.weighted)
    return True


@njit(cache=True, nogil=True)
def epoch(
    lists: Lists, rows: Rows, order: Ints, state: State, updates: int, average: Floats, C: float,
    decay: float, model_background: bool, free: Floats,
) -> tuple[int, Floats]:  # fmt: skip
    """One pass over the lists in the given order.

    Returns the number of updates so far, and the summed statistics of the winners under `average`,
    which costs little while a list is at hand.
    """
    direction, total = np.zeros(len(state.theta)), np.zeros(rows.stats.shape[1])
    size = np.diff(lists.list_pointer).max()
    scores, gains = np.empty(size), np.empty(size)
    for i in order:
        first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
        s, place = scores[: last - first], rows.place[first:last]
        stats = rows.stats[rows.pointer[i] : rows.pointer[i + 1]]
        score_list(lists, i, average, s)
        total += stats[place[best(s)]]
        score_list(lists, i, state.theta, s)
        for m in range(len(stats)):
            gains[m] = scaled_bleu(stats[m], state.background)
        hope, fear = hope_and_fear(s, place, gains)
        gap = gains[place[hope]] - gains[place[fear]]
        if gap <= 0.0:
            continue
        loss = gap - (s[hope] - s[fear])
        if loss > 0.0 and step(lists, i, hope, fear, loss, C, updates + 1, free, state, direction):
            updates += 1
        seen = best(s) if model_background else hope
        state.background[:] = decay * state.background + stats[place[seen]]
    return updates, total


@njit(cache=True, nogil=True)
def winners_total(lists: Lists, rows: Rows, theta: Floats) -> Floats:
    """Summed statistics of the winners under theta."""
    total = np.zeros(rows.stats.shape[1])
    scores = np.empty(np.diff(lists.list_pointer).max())
    for i in range(len(lists.list_pointer) - 1):
        first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
        s = scores[: last - first]
        score_list(lists, i, theta, s)
        total += rows.stats[rows.pointer[i] + rows.place[first + best(s)]]
    return total
