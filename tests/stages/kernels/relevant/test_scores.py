"""Scores of packed sets against the naive twin, to the last bit."""

import numpy as np
import pytest

from campanula.stages.kernels.relevant.online import scores_of
from tests.naive import relevant_set as naive
from tests.stages.kernels.relevant.packed import packed
from tests.stages.tuning.relevant.random_sets import FEATURES, random_sets, sentences_of


@pytest.mark.parametrize("seed", range(3))
def test_scores_are_sums_in_the_order_of_the_ids_to_the_last_bit(seed):
    shape = {"n_sets": 9, "binary": seed == 0}
    data, members = packed(seed, **shape), sentences_of(random_sets(seed, **shape))
    u = np.random.default_rng(seed).normal(size=len(FEATURES))
    score = scores_of(data.sets, data.placed(u))
    w = dict(zip(FEATURES, u.tolist(), strict=True))
    assert score.tolist() == [
        naive.score(w, x, naive.ranks(FEATURES)) for _, m in members for _, x, _ in m
    ]
