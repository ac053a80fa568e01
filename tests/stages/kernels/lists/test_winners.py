"""Winners against NumPy's argmax."""

import itertools

import numpy as np

from campanula.stages.kernels.lists.scores import score_lists
from campanula.stages.kernels.lists.winners import place_of_best, winners
from tests.stages.kernels.problems import problem


def test_winners_have_the_highest_scores_of_their_lists():
    p = problem()
    score, pointer = score_lists(p.lists, p.theta), p.lists.list_pointer
    expected = [a + int(np.argmax(score[a:b])) for a, b in itertools.pairwise(pointer)]
    assert winners(p.lists, p.theta).tolist() == expected


def test_ties_go_to_the_lower_index():
    assert place_of_best(np.array([1.0, 2.0, 2.0])) == 1
    assert place_of_best(np.array([0.0, -0.0])) == 0
