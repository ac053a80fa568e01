"""Online training on relevant sets, sentence by sentence, compiled (T&Z Tables II, III, Eq. 7)."""

from __future__ import annotations

from typing import Any

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lists.lists import Index
from campanula.stages.kernels.relevant.choices import NOBODY, alternative, value_of
from campanula.stages.kernels.relevant.records import (
    EQUATION_7,
    PERCEPTRON,
    Room,
    Rule,
    Sets,
    Weights,
)
from campanula.stages.kernels.relevant.scores import gather, score_rows, score_sets
from campanula.stages.kernels.solvers.descent import shrunk


def room_of(sets: Sets) -> Room:
    """Room for the widest of the sets' sentences."""
    widest = int(np.diff(sets.table_pointer).max(initial=0))
    longest = int(np.diff(sets.pointer).max(initial=0))
    most = max(1, int(sets.truths.max(initial=0)))
    own, delta, score = np.empty(widest), np.zeros(widest), np.empty(longest)
    return Room(own, delta, score, np.empty(most, np.int64), np.empty(most))


@njit(cache=True, nogil=True)
def _add_row(sets: Sets, j: Index, sign: float, delta: Floats) -> None:
    """delta += sign * x of hypothesis j."""
    for e in range(sets.valued_pointer[j], sets.valued_pointer[j + 1]):
        delta[sets.valued_code[e]] += sign * sets.value[e]
    for e in range(sets.binary_pointer[j], sets.binary_pointer[j + 1]):
        delta[sets.binary_code[e]] += sign


@njit(cache=True, nogil=True)
def _add(weights: Weights, feature: Index, step: float) -> None:
    if len(weights.free) == 0 or weights.free[feature]:
        weights.u[feature] += step


@njit(cache=True, nogil=True)
def _apply_row(sets: Sets, i: Index, j: Index, step: float, room: Room, weights: Weights) -> bool:
    """Add step * delta to the weights of the features of row j, and have delta be 0 there."""
    table, moved = sets.table_pointer[i], False
    for e in range(sets.valued_pointer[j], sets.valued_pointer[j + 1]):
        code = sets.valued_code[e]
        if room.delta[code] != 0.0:
            _add(weights, sets.table[table + code], step * room.delta[code])
            room.delta[code] = 0.0
            moved = True
    for e in range(sets.binary_pointer[j], sets.binary_pointer[j + 1]):
        code = sets.binary_code[e]
        if room.delta[code] != 0.0:
            _add(weights, sets.table[table + code], step * room.delta[code])
            room.delta[code] = 0.0
            moved = True
    return moved


@njit(cache=True, nogil=True)
def _step(
    sets: Sets, i: Index, truth: Index, other: Index, step: float, room: Room, weights: Weights
) -> bool:
    """u += step (x_truth - x_other); what both have alike is not touched.  Whether anything is."""
    first = sets.pointer[i]
    if step == 0.0 or truth == other:
        return False
    _add_row(sets, first + truth, 1.0, room.delta)
    _add_row(sets, first + other, -1.0, room.delta)
    moved = _apply_row(sets, i, first + truth, step, room, weights)
    moved |= _apply_row(sets, i, first + other, step, room, weights)
    return moved


@njit(cache=True, nogil=True)
def _score(sets: Sets, i: Index, weights: Weights, room: Room) -> None:
    """Scores of sentence i, w . x = base + a (u . x)."""
    gather(sets, i, weights.u, room.own)
    score_rows(sets, i, room.own, room.score)
    a, first = weights.factor[0], sets.pointer[i]
    if a != 1.0 or len(weights.base):
        for j in range(sets.pointer[i + 1] - first):
            room.score[j] *= a
            if len(weights.base):
                room.score[j] += weights.base[first + j]


@njit(cache=True, nogil=True)
def _truths(sets: Sets, i: Index, rule: Rule) -> tuple[int, int]:
    """First and last of the truths that count: all of Eq. 7's, else the one of the highest gain."""
    if rule.update == EQUATION_7 and sets.truths[i]:
        return 0, int(sets.truths[i])
    return int(sets.best[i]), int(sets.best[i]) + 1


@njit(cache=True, nogil=True)
def _choose(sets: Sets, i: Index, rule: Rule, room: Room) -> None:
    """Write the alternative of each truth that counts to chosen, and its step."""
    first, (start, end) = sets.pointer[i], _truths(sets, i, rule)
    for k in range(start, end):
        m = alternative(sets, i, k, room.score, rule)
        room.chosen[k - start] = m
        room.step[k - start] = 0.0
        if m == NOBODY:
            continue
        gain = sets.gain[first + k] - sets.gain[first + m]
        step: Any = rule.eta
        if rule.update != PERCEPTRON:
            step *= gain
        if rule.update == EQUATION_7:
            step *= max(0.0, 1.0 - (room.score[k] - room.score[m])) / (end - start)
        room.step[k - start] = step


@njit(cache=True, nogil=True)
def epoch(sets: Sets, order: Ints, rule: Rule, weights: Weights, room: Room) -> int:
    """Visit the sentences in this order; changes u and the factor.

    Returns how many sentences have moved a weight.
    """
    updates = 0
    for i in order:
        _score(sets, i, weights, room)
        _choose(sets, i, rule, room)
        if rule.shrink != 1.0:
            weights.factor[0] = shrunk(weights.u, weights.factor[0], rule.shrink)
        start, end = _truths(sets, i, rule)
        moved = False
        for k in range(start, end):
            step = room.step[k - start] / weights.factor[0]
            moved |= _step(sets, i, k, room.chosen[k - start], step, room, weights)
        updates += moved
    return updates


@njit(cache=True, nogil=True)
def total_of(sets: Sets, w: Floats, rule: Rule, room: Room) -> float:
    """Sum over the sentences of what the chosen pairs violate under w (n_features,)."""
    total = 0.0
    for i in range(len(sets.pointer) - 1):
        gather(sets, i, w, room.own)
        score_rows(sets, i, room.own, room.score)
        first, (start, end) = sets.pointer[i], _truths(sets, i, rule)
        part = 0.0
        for k in range(start, end):
            m = alternative(sets, i, k, room.score, rule)
            if m != NOBODY:
                gain = sets.gain[first + k] - sets.gain[first + m]
                part += value_of(rule, gain, room.score[k] - room.score[m])
        total += part / (end - start)
    return total


def scores_of(sets: Sets, u: Floats) -> Floats:
    """Scores (n_hyps,) of all hypotheses."""
    score = np.empty(int(sets.pointer[-1]))
    score_sets(sets, u, room_of(sets), score)
    return score
