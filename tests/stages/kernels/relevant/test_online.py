"""An epoch of training against the naive twin."""

import numpy as np
import pytest

from campanula.stages.kernels.relevant.online import epoch, room_of, total_of
from campanula.stages.kernels.relevant.records import (
    EQUATION_7,
    PERCEPTRON,
    TABLE_II,
    Rule,
    ScaledWeights,
)
from tests.naive import relevant_set as naive
from tests.stages.kernels.relevant.packed import packed
from tests.stages.tuning.relevant.random_sets import FEATURES, random_sets, sentences_of

NAMES = {TABLE_II: "table2", EQUATION_7: "eq7", PERCEPTRON: "perceptron"}


@pytest.mark.parametrize("update", NAMES)
def test_an_epoch_is_the_slow_one_and_leaves_its_room_clean(update):
    data, sentences = packed(3, binary=False), sentences_of(random_sets(3, binary=False))
    sets, w = data.sets, np.random.default_rng(3).normal(size=len(FEATURES))
    u, w0 = data.placed(w), dict(zip(FEATURES, w.tolist(), strict=True))
    weights = ScaledWeights(u, np.ones(1), np.zeros(0), np.zeros(0, np.bool_))
    room, rule = room_of(sets), Rule(update, False, 0.1, 1.0)
    moved = epoch(sets, np.arange(6), rule, weights, room)
    name = NAMES[update]
    expected = naive.train(sentences, w0, FEATURES, name, eta=0.1, epochs=1, shuffle=False)
    assert dict(zip(FEATURES, data.by_id(u).tolist(), strict=True)) == expected
    assert (room.delta == 0.0).all()
    assert 0 < moved <= 6
    slow = naive.objective(sentences, expected, FEATURES, name)
    assert total_of(sets, u, rule, room) / 6 == pytest.approx(slow, abs=1e-12)


def test_what_is_not_free_stays_and_what_both_have_is_not_touched():
    sets = packed(4).sets
    free = np.arange(len(FEATURES)) % 2 == 0
    u = np.zeros(len(FEATURES))
    weights = ScaledWeights(u, np.ones(1), np.zeros(0), free)
    epoch(sets, np.arange(6), Rule(TABLE_II, False, 0.1, 1.0), weights, room_of(sets))
    assert (u[~free] == 0.0).all()
    assert (u[free] != 0.0).any()
