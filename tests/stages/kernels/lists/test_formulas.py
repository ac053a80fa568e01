"""Costs of hypotheses, and which terms of losses are linear."""

import numpy as np

from campanula.stages.kernels.lists.formulas import ALL, MAX, MIN_COST, Targets, Term


def test_costs_grow_as_gains_fall():
    gain, reaches = np.array([1.0, 0.25, -0.5]), np.array([True, False, False])
    targets = Targets.of(gain, reaches, 4.0, n_lists=2)
    assert targets.cost.tolist() == [0.0, 3.0, 6.0]
    assert targets.pair_pointer.tolist() == [0, 0, 0]
    assert len(targets.better) == len(targets.worse) == 0


def test_the_score_of_the_least_cost_is_linear():
    assert Term(MAX, 0.0, MIN_COST).linear
    assert not Term(MAX, 0.0, ALL).linear
