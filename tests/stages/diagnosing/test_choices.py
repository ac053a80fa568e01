"""Choices: best, hope, fear by the slow formulas, and what is best without a feature."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.diagnosing.choices import choices
from tests.examples import random_lists


@pytest.mark.parametrize("seed", range(4))
def test_they_are_those_of_the_formulas(seed: int) -> None:
    records, _ = random_lists(seed=seed, n_lists=5)
    rng = np.random.default_rng(seed)
    weights = {name: float(rng.normal()) for name in records[0].names}
    for kbest in records:
        found = choices(kbest, weights)
        rows = list(kbest.features.rows(kbest.names))
        scores = np.array([sum(weights[n] * v for n, v in row.items()) for row in rows])
        assert kbest.gain is not None
        cost = 10.0 * (1.0 - kbest.gain)
        margin = 1e-9  # sums are added up in another order
        assert scores[found.best] >= scores.max() - margin
        assert (scores - cost)[found.hope] >= (scores - cost).max() - margin
        assert (scores + cost)[found.fear] >= (scores + cost).max() - margin
        for number, decides in zip(kbest.features.dense_id, found.decided_by, strict=True):
            name = kbest.names[int(number)]
            without = scores - [weights[name] * row.get(name, 0.0) for row in rows]
            if decides:
                assert without[found.best] <= without.max() + margin
            else:
                assert without[found.best] >= without.max() - margin


def test_a_feature_without_a_weight_decides_nothing() -> None:
    records, _ = random_lists(seed=1, n_lists=3)
    assert not any(choices(kbest, {}).decided_by.any() for kbest in records)
