import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.stages.tuning.scoring import refuse_infinite, score
from tests.examples import random_lists
from tests.naive.rampion import dot


def test_a_list_is_scored_by_its_features():
    records, rows = random_lists(seed=9, n_lists=2)
    theta = np.random.default_rng(1).normal(size=len(records[0].names))
    by_name = dict(zip(records[0].names, theta, strict=True))
    for record, kbest in zip(records, rows, strict=True):
        assert score(record, theta) == pytest.approx([dot(by_name, row) for row, _ in kbest])


def test_the_first_score_that_overflows_is_named():
    pointer, sid = np.array([0, 2, 5]), np.array([4, 9])
    refuse_infinite(np.zeros(5), pointer, sid, "dev", "these weights")
    for value in (np.inf, -np.inf, np.nan):
        score = np.array([0.0, 1.0, 2.0, value, np.inf])
        with pytest.raises(DataError, match=r"dev: sentence 9: .* of hypothesis 1 under these"):
            refuse_infinite(score, pointer, sid, "dev", "these weights")
