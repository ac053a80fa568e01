"""Online training on relevant sets, sentence by sentence, compiled (T&Z Tables II, III, Eq. 7)."""

from __future__ import annotations

from typing import Any

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.lists.lists import Index
from campanula.stages.kernels.relevant.choices import NOBODY, alternative, value_of
from campanula.stages.kernels.relevant.records import (
    EQUATION_7,
    PERCEPTRON,
    Rule,
    ScaledWeights,
    SentenceRoom,
    Sets,
)
from campanula.stages.kernels.relevant.scores import (
    INLINED,
    Upcoming,
    gather,
    place_of,
    score_rows,
)
from campanula.stages.kernels.solvers.descent import shrunk


def room_of(sets: Sets) -> SentenceRoom:
    """Return working space for the sentences with most features, hypotheses and truths."""
    widest = int((np.diff(sets.common_pointer) + np.diff(sets.rare_pointer)).max(initial=0))
    longest = int(np.diff(sets.pointer).max(initial=0))
    most = max(1, int(sets.truths.max(initial=0)))
    own = np.empty(widest)
    delta = np.zeros(widest)
    score = np.empty(longest)
    return SentenceRoom(own, delta, score, np.empty(most, np.int64), np.empty(most))


@njit(**INLINED)
def _add_row(sets: Sets, j: Index, sign: float, delta: Floats) -> None:
    """Add sign * x of hypothesis j to delta, by the codes of the sentence's features."""
    for e in range(sets.valued_pointer[j], sets.valued_pointer[j + 1]):
        delta[sets.valued_code[e]] += sign * sets.value[e]
    for e in range(sets.binary_pointer[j], sets.binary_pointer[j + 1]):
        delta[sets.binary_code[e]] += sign


@njit(**INLINED)
def _add(
    weights: ScaledWeights, place: Index, code: Index, step: float, room: SentenceRoom
) -> bool:
    """Add step * delta of a feature to its weight and set delta to 0; whether delta was not 0."""
    differs = room.delta[code] != 0.0
    if len(weights.free) == 0 or weights.free[place]:
        # own is the weight: read from the cache, written there for the next pair, and to u
        room.own[code] += step * room.delta[code]
        weights.u[place] = room.own[code]
    # 0 again, so that a feature of both hypotheses is added once, and the next pair begins at 0
    room.delta[code] = 0.0
    return bool(differs)


@njit(**INLINED)
def _apply_row(
    sets: Sets, i: Index, j: Index, step: float, room: SentenceRoom, weights: ScaledWeights
) -> bool:
    """Add step * delta to the weights of the features of row j; whether any delta was not 0.

    Only features of a row are visited: delta has those of the whole sentence.
    """
    moved = False
    for e in range(sets.valued_pointer[j], sets.valued_pointer[j + 1]):
        code = sets.valued_code[e]
        moved |= _add(weights, place_of(sets, i, code), code, step, room)
    for e in range(sets.binary_pointer[j], sets.binary_pointer[j + 1]):
        code = sets.binary_code[e]
        moved |= _add(weights, place_of(sets, i, code), code, step, room)
    return moved


@njit(**INLINED)
def _step(
    sets: Sets,
    i: Index,
    truth: Index,
    other: Index,
    step: float,
    room: SentenceRoom,
    weights: ScaledWeights,
) -> bool:
    """Add step (x_truth - x_other) to u; whether the two differ in any feature.

    room.own has the weights of the sentence's features before and after.
    """
    first = sets.pointer[i]
    if step == 0.0 or truth == other:
        return False
    _add_row(sets, first + truth, 1.0, room.delta)
    _add_row(sets, first + other, -1.0, room.delta)
    moved = _apply_row(sets, i, first + truth, step, room, weights)
    moved |= _apply_row(sets, i, first + other, step, room, weights)
    return moved


@njit(**INLINED)
def _score(sets: Sets, i: Index, ahead: Upcoming, room: SentenceRoom) -> None:
    """Write the scores u . x of the hypotheses of sentence i to room.score."""
    gather(sets, i, ahead.u, room.own)
    score_rows(sets, i, room.own, room.score, ahead)


@njit(**LEAN)
def _scale(sets: Sets, i: Index, weights: ScaledWeights, room: SentenceRoom) -> None:
    """Turn scores u . x into w . x = base + a (u . x), in place."""
    a = weights.factor[0]
    first = sets.pointer[i]
    for j in range(sets.pointer[i + 1] - first):
        room.score[j] *= a
        if len(weights.base):
            room.score[j] += weights.base[first + j]


@njit(**LEAN)
def _truths(sets: Sets, i: Index, rule: Rule) -> tuple[int, int]:
    """Return the truths that count, first and end: all for Eq. 7, else that of the highest gain."""
    if rule.update == EQUATION_7 and sets.truths[i]:
        return 0, int(sets.truths[i])
    return int(sets.best[i]), int(sets.best[i]) + 1


@njit(**LEAN)
def _choose(sets: Sets, i: Index, rule: Rule, room: SentenceRoom) -> None:
    """Write the alternative of each truth that counts to room.chosen, and its step to room.step."""
    first = sets.pointer[i]
    start, end = _truths(sets, i, rule)
    for k in range(start, end):
        m = alternative(sets, i, k, room.score, rule)
        room.chosen[k - start] = m
        room.step[k - start] = 0.0  # of a truth without alternative: _step does nothing
        if m == NOBODY:
            continue
        gain = sets.gain[first + k] - sets.gain[first + m]
        step: Any = rule.eta
        if rule.update != PERCEPTRON:
            step *= gain
        if rule.update == EQUATION_7:
            # the gradient of Eq. 4's squared part; Eq. 7 takes the mean over truths
            step *= max(0.0, 1.0 - (room.score[k] - room.score[m])) / (end - start)
        room.step[k - start] = step


@njit(**LEAN)
def epoch(sets: Sets, order: Ints, rule: Rule, weights: ScaledWeights, room: SentenceRoom) -> int:
    """Train on the sentences in this order: change weights.u and weights.factor.

    Returns the number of sentences whose update changed a weight.
    """
    updates = 0
    last = len(order) - 1
    for place in range(len(order)):
        i = order[place]
        ahead = Upcoming(order[min(place + 1, last)], order[min(place + 2, last)], weights.u)
        _score(sets, i, ahead, room)
        if weights.factor[0] != 1.0 or len(weights.base):  # else w is u
            _scale(sets, i, weights, room)
        # all alternatives before any step: Eq. 7 sums the truths' gradients at one w
        _choose(sets, i, rule, room)
        # L2 shrinks all of w: the factor a takes that, and no weight of u need be touched
        if rule.shrink != 1.0:
            weights.factor[0] = shrunk(weights.u, weights.factor[0], rule.shrink)
        start, end = _truths(sets, i, rule)
        moved = False
        for k in range(start, end):
            step = room.step[k - start] / weights.factor[0]  # a step of w = a u, as one of u
            moved |= _step(sets, i, k, room.chosen[k - start], step, room, weights)
        updates += moved
    return updates


@njit(**LEAN)
def total_of(sets: Sets, w: Floats, rule: Rule, room: SentenceRoom) -> float:
    """Return the sum of the sentences' violations, means over truths, under w (n_features,)."""
    total = 0.0
    last = len(sets.pointer) - 2
    for i in range(last + 1):
        _score(sets, i, Upcoming(min(i + 1, last), min(i + 2, last), w), room)
        first = sets.pointer[i]
        start, end = _truths(sets, i, rule)
        violation = 0.0
        for k in range(start, end):
            m = alternative(sets, i, k, room.score, rule)
            if m != NOBODY:
                gain = sets.gain[first + k] - sets.gain[first + m]
                violation += value_of(rule, gain, room.score[k] - room.score[m])
        total += violation / (end - start)
    return total


@njit(**LEAN)
def _score_all(sets: Sets, u: Floats, room: SentenceRoom, score: Floats) -> None:
    last = len(sets.pointer) - 2
    for i in range(last + 1):
        gather(sets, i, u, room.own)
        ahead = Upcoming(min(i + 1, last), min(i + 2, last), u)
        score_rows(sets, i, room.own, score[sets.pointer[i] : sets.pointer[i + 1]], ahead)


def scores_of(sets: Sets, u: Floats) -> Floats:
    """Return the scores u . x (n_hyps,) of all hypotheses."""
    score = np.empty(int(sets.pointer[-1]))
    _score_all(sets, u, room_of(sets), score)
    return score
