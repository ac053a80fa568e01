"""Steps that are asked for together are those of the automaton, one by one."""

from __future__ import annotations

import random
from collections import defaultdict

import numpy as np
import pytest

from campanula.formats.arrays.columns import CONTEXT
from campanula.formats.model.model import load_model
from campanula.stages.decoding.language_model import language_model
from campanula.stages.kernels.lm.automaton import lm_step
from campanula.stages.kernels.search.steps import answer, memory_slot, no_steps
from tests.present import present
from tests.small_models import random_model, write_model


@pytest.mark.parametrize("order", [1, 2, 4])
def test_answers_are_those_of_single_steps(tmp_path, order):
    model = random_model(random.Random(order), order, False)
    compiled = load_model(write_model(model, tmp_path), str(tmp_path / "cache"))
    lm = language_model(present(compiled.lm).automaton)
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


def test_steps_that_share_a_slot_do_not_mix(tmp_path):
    model = random_model(random.Random(3), 3, False)
    compiled = load_model(write_model(model, tmp_path), str(tmp_path / "cache"))
    lm = language_model(present(compiled.lm).automaton)
    pairs = [(state, word) for state in range(len(lm.state)) for word in range(len(lm.unigram))]
    by_slot = defaultdict(list)
    for state, word in pairs:
        by_slot[memory_slot(state, word)].append((state, word))
    shared = [pair for group in by_slot.values() if len(group) > 1 for pair in group]
    expected = [lm_step(lm, state, word) for state, word in shared]
    assert len(set(expected)) > 1
    steps = no_steps(1)
    for _ in range(2):  # each answer has taken the place of another one's
        for (state, word), (log, after) in zip(shared, expected, strict=True):
            steps.state[0], steps.word[0] = state, word
            answer(lm, steps, 1)
            assert (steps.log[0], steps.after[0]) == (log, after)
