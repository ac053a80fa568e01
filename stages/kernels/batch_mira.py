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

from stages.kernels.compiled import njit
from stages.kernels.envelope import LEAN
from stages.kernels.lists import Floats, Ids, Ints, Lists
from stages.kernels.mira import pop_norm
from stages.kernels.scores import add_row, score_list, score_list_twice


class Rows(NamedTuple):
    """The distinct statistics of list i: stats[pointer[i]:pointer[i + 1]].

    Hypothesis h has those of place[h], counted from the first of its list.
    """

    pointer: Ints
    stats: Floats
    place: Ids


class State(NamedTuple):
    """What an epoch changes, and room for it.

    theta and weighted, the sum of t times update t, (n_features,); the background (10,); total
    (10,), of the winners under the average.  Room: direction (n_features,) zeros; score, that under
    the average, and gain for the longest list; pair (2,).
    """

    theta: Floats
    weighted: Floats
    background: Floats
    total: Floats
    direction: Floats
    score: Floats
    average_score: Floats
    gain: Floats
    pair: Ints


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
    for i in range(len(list_pointer) - 1):
        while size < 2 * (list_pointer[i + 1] - list_pointer[i]):
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


def state(theta: Floats, longest: int) -> State:
    """State before the first epoch, with room for lists of `longest` hypotheses."""
    weighted, direction = np.zeros((2, len(theta)))
    score, average_score, gain = np.empty((3, longest))
    background, total, pair = np.ones(10), np.zeros(10), np.zeros(2, np.int64)
    return State(
        theta.copy(), weighted, background, total, direction, score, average_score, gain, pair
    )


@njit(**LEAN)
def scaled_bleu(stats: Floats, m: int, background: Floats) -> float:
    """BLEU of row m of the statistics added to the background, times the reference length."""
    c, r = stats[m, 0] + background[0], stats[m, 1] + background[1]
    match, total = 1.0, 1.0
    for n in range(2, 6):
        match *= stats[m, n] + background[n]
        total *= stats[m, n + 4] + background[n + 4]
    value = 0.0
    if c > 0.0 and total > 0.0:
        penalty = math.exp(1.0 - r / c) if c < r else 1.0
        value = r * penalty * math.sqrt(math.sqrt(match / total))
    return float(value)


@njit(**LEAN)
def best(score: Floats) -> int:
    """Place of the highest score; ties go to the lower index."""
    place = 0
    for j in range(1, len(score)):
        if score[j] > score[place]:
            place = j
    return place


@njit(**LEAN)
def hope_and_fear(score: Floats, place: Ids, gain: Floats) -> tuple[int, int]:
    """Places of the highest score + gain and score - gain; place (n,) says whose gain."""
    hope = fear = 0
    top, bottom = score[0] + gain[place[0]], score[0] - gain[place[0]]
    for j in range(1, len(score)):
        g = gain[place[j]]
        if score[j] + g > top:
            hope, top = j, score[j] + g
        if score[j] - g > bottom:
            fear, bottom = j, score[j] - g
    return hope, fear


@njit(**LEAN)
def step(
    lists: Lists, i: int, hope: int, fear: int, loss: float, C: float, t: int, free: Floats,
    at: State,
) -> bool:  # fmt: skip
    """Update t, by list i; False, and no update, if hope and fear have the same free features."""
    add_row(lists, i, hope, 1.0, free, at.direction)
    add_row(lists, i, fear, -1.0, free, at.direction)
    at.pair[0], at.pair[1] = hope, fear
    norm = pop_norm(lists, i, at.pair, at.direction)
    if norm > 0.0:
        eta = min(C, loss / norm)
        add_row(lists, i, hope, eta, free, at.theta)
        add_row(lists, i, fear, -eta, free, at.theta)
        add_row(lists, i, hope, eta * t, free, at.weighted)
        add_row(lists, i, fear, -eta * t, free, at.weighted)
    return bool(norm > 0.0)


@njit(**LEAN)
def add_winner(rows: Rows, i: int, place: Ids, score: Floats, total: Floats) -> None:
    """Add the statistics of the hypothesis of list i with the highest score to the total."""
    m = rows.pointer[i] + place[best(score)]
    for c in range(len(total)):
        total[c] += rows.stats[m, c]


@njit(**LEAN)
def epoch(
    lists: Lists, rows: Rows, order: Ints, at: State, updates: int, average: Floats, C: float,
    decay: float, model_background: bool, free: Floats,
) -> int:  # fmt: skip
    """One pass over the lists in the given order; returns the number of updates so far.

    The winners under `average` are added up on the way, while a list is at hand.
    """
    for i in order:
        first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
        s, place = at.score[: last - first], rows.place[first:last]
        under_average = at.average_score[: last - first]
        score_list_twice(lists, i, at.theta, average, s, under_average)
        add_winner(rows, i, place, under_average, at.total)
        start = rows.pointer[i]
        for m in range(start, rows.pointer[i + 1]):
            at.gain[m - start] = scaled_bleu(rows.stats, m, at.background)
        hope, fear = hope_and_fear(s, place, at.gain)
        gap = at.gain[place[hope]] - at.gain[place[fear]]
        if gap <= 0.0:
            continue
        seen = start + place[best(s) if model_background else hope]
        loss = gap - (s[hope] - s[fear])
        if loss > 0.0 and step(lists, i, hope, fear, loss, C, updates + 1, free, at):
            updates += 1
        for c in range(len(at.background)):
            at.background[c] = decay * at.background[c] + rows.stats[seen, c]
    return updates


@njit(**LEAN)
def add_winners(lists: Lists, rows: Rows, theta: Floats, at: State) -> None:
    """Add the statistics of all winners under theta to the total."""
    for i in range(len(lists.list_pointer) - 1):
        first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
        s = at.score[: last - first]
        score_list(lists, i, theta, s)
        add_winner(rows, i, rows.place[first:last], s, at.total)
