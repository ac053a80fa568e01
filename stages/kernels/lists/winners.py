"""The winner of each list, the hypothesis with the highest score, compiled.

    winner_i = argmax_j theta . f_ij

Ties go to the lower index.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.kernels.lists.scores import score_list


@njit(**LEAN)
def place_of_best(score: Floats) -> int:
    """Place of the highest score; the lowest place of several such."""
    place = 0
    for j in range(1, len(score)):
        # `>`, not `>=`: ties go to the lower index
        if score[j] > score[place]:
            place = j
    return place


@njit(**LEAN)
def _find_winners(lists: Lists, theta: Floats, score: Floats, winner: Ints) -> None:
    for i in range(len(winner)):
        first = lists.list_pointer[i]
        s = score[: lists.list_pointer[i + 1] - first]
        score_list(lists, i, theta, s)
        winner[i] = first + place_of_best(s)


def winners(lists: Lists, theta: Floats) -> Ints:
    """The winners (n_lists,), as places among all hypotheses, under theta (n_features,)."""
    # arrays are made out here, so that the compiled loop allocates nothing (LEAN)
    winner = np.empty(lists.n_lists, np.int64)
    _find_winners(lists, theta, np.empty(int(np.diff(lists.list_pointer).max())), winner)
    return winner
