"""Batch k-best MIRA, one epoch (Cherry & Foster 2012, Algorithm 2 and section 3), compiled.

For list i, with B(j) = BLEU(b + stats_j) (r_b + r_j), b a decaying background of statistics:

    hope = argmax_j s_j + B(j)        fear = argmax_j s_j - B(j)        d = f_hope - f_fear
    loss = B(hope) - B(fear) - theta . d,    theta += min(C, loss / |d|^2) d    if it is positive
    b = decay b + stats_hope          where B(hope) > B(fear)

B is computed once for each distinct row of statistics of a list (background_bleu.py).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.kernels.lists.scores import add_row, score_list_twice
from campanula.stages.kernels.lists.winners import place_of_best
from campanula.stages.kernels.solvers.background_bleu import (
    StatisticsRows,
    add_statistics,
    scaled_bleus,
)
from campanula.stages.kernels.solvers.mira import pop_norm


class MiraState(NamedTuple):
    """Arrays that an epoch changes, and working memory.

    theta and weighted, the sum of t times update t, (n_features,); the background (10,); total
    (10,): the sum of the statistics of the winners under the average.  Working memory: direction
    (n_features,), zeros between steps; score, average_score and gain (longest list,); pair (2,).
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


def state(theta: Floats, longest: int) -> MiraState:
    """Return the state before the first epoch, for lists of at most `longest` hypotheses."""
    weighted, direction = np.zeros((2, len(theta)))
    score, average_score, gain = np.empty((3, longest))
    # ones in the background: every order has a match from the first list on
    background = np.ones(10)
    total = np.zeros(10)
    pair = np.zeros(2, np.int64)
    return MiraState(
        theta.copy(), weighted, background, total, direction, score, average_score, gain, pair
    )


@njit(**LEAN)
def hope_and_fear(score: Floats, place: Ids, gain: Floats) -> tuple[int, int]:
    """Places of the highest score + gain and score - gain; hypothesis j has gain[place[j]]."""
    hope = fear = 0
    top, bottom = score[0] + gain[place[0]], score[0] - gain[place[0]]
    for j in range(1, len(score)):
        g = gain[place[j]]
        # `>`, not `>=`: ties go to the lower index
        if score[j] + g > top:
            hope, top = j, score[j] + g
        if score[j] - g > bottom:
            fear, bottom = j, score[j] - g
    return hope, fear


class MiraTask(NamedTuple):
    """What stays the same in all epochs: lists with their distinct statistics, and settings.

    free (n_features,): 1 for features that updates change, else 0.  C bounds the size of a step;
    the background is multiplied by decay before a hope is added.
    """

    lists: Lists
    rows: StatisticsRows
    free: Floats
    C: float
    decay: float


@njit(**LEAN)
def step(task: MiraTask, i: int, hope: int, fear: int, loss: float, t: int, at: MiraState) -> bool:
    """Make update t, by list i; return False, without it, if d is 0 in all free features."""
    lists = task.lists
    free = task.free
    add_row(lists, i, hope, 1.0, free, at.direction)
    add_row(lists, i, fear, -1.0, free, at.direction)
    at.pair[0] = hope
    at.pair[1] = fear
    norm = pop_norm(lists, i, at.pair, at.direction)
    # weighted gives the average of all thetas from one sum, without a pass over all features
    if norm > 0.0:
        eta = min(task.C, loss / norm)
        add_row(lists, i, hope, eta, free, at.theta)
        add_row(lists, i, fear, -eta, free, at.theta)
        add_row(lists, i, hope, eta * t, free, at.weighted)
        add_row(lists, i, fear, -eta * t, free, at.weighted)
    return bool(norm > 0.0)


@njit(**LEAN)
def epoch(task: MiraTask, order: Ints, at: MiraState, updates: int, average: Floats) -> int:
    """Make one pass over the lists in the given order; return the number of updates so far.

    The statistics of the winners under `average` (n_features,) are added to the state's total.
    """
    lists = task.lists
    rows = task.rows
    for turn in range(len(order)):
        i = order[turn]
        then = order[min(turn + 1, len(order) - 1)]
        first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
        s = at.score[: last - first]
        place = rows.place[first:last]
        under_average = at.average_score[: last - first]
        # under both weights at once, while the list's features are in the cache
        score_list_twice(lists, i, at.theta, average, s, under_average, then)
        scaled_bleus(rows, i, at.background, at.gain)
        add_statistics(rows, i, place[place_of_best(under_average)], 1.0, at.total)
        hope, fear = hope_and_fear(s, place, at.gain)
        gap = at.gain[place[hope]] - at.gain[place[fear]]
        if gap <= 0.0:  # a hope no better than the fear is no aim, and not added to the background
            continue
        loss = gap - (s[hope] - s[fear])
        if loss > 0.0 and step(task, i, hope, fear, loss, updates + 1, at):
            updates += 1
        add_statistics(rows, i, place[hope], task.decay, at.background)
    return updates
