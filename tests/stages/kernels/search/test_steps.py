"""Steps that are asked for together are those of the automaton, one by one."""

from __future__ import annotations

import random

import numpy as np
import pytest

from campanula.formats.arrays.columns import CONTEXT
from campanula.formats.model.model import load_model
from campanula.stages.decoding.language_model import language_model
from campanula.stages.kernels.lm.automaton import lm_step
from campanula.stages.kernels.search.steps import answer, no_steps
from tests.small_models import random_model, write_model


@pytest.mark.parametrize("order", [1, 2, 4])
def test_answers_are_those_of_single_steps(tmp_path, order):
    model = random_model(random.Random(order), order, False)
    compiled = load_model(write_model(model, tmp_path), str(tmp_path / "cache"))
    lm = language_model(compiled.lm.automaton)
    rng = np.random.default_rng(order)
    steps = no_steps(50)
    for _ in range(6):  # again with what is remembered, and the same more than once
        steps.state[:] = rng.integers(0, len(lm.state), 50)
        steps.word[:] = rng.integers(0, len(lm.unigram), 50)
        answer(lm, steps, 50)
        for x in range(50):
            log, after = lm_step(lm, int(steps.state[x]), int(steps.word[x]))
            assert (steps.log[x], steps.after[x]) == (log, after)
            assert steps.context[x] == lm.state[after, CONTEXT]


def test_steps_that_share_a_slot_do_not_mix(tmp_path, monkeypatch):
    monkeypatch.setattr("campanula.stages.kernels.search.steps.MEMORY_BITS", 1)
    test_answers_are_those_of_single_steps(tmp_path, 2)
