import numpy as np
import pytest

from campanula.stages.tuning.scoring import score
from tests.examples import random_lists
from tests.naive.rampion import dot


def test_a_list_is_scored_by_its_features():
    records, rows = random_lists(seed=9, n_lists=2)
    theta = np.random.default_rng(1).normal(size=len(records[0].names))
    by_name = dict(zip(records[0].names, theta, strict=True))
    for record, kbest in zip(records, rows, strict=True):
        assert score(record, theta) == pytest.approx([dot(by_name, row) for row, _ in kbest])
