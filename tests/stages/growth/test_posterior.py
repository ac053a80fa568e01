import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.stages.growth.growth_lists import GrowthLists
from campanula.stages.growth.posterior import Posterior
from tests.naive import growth as naive
from tests.stages.growth.problems import KEYS, Problem
from tests.stages.tuning.sharded.shards import random_lists, sharded


def test_gains_and_counts_are_those_of_the_slow_reading(tmp_path):
    problem = Problem(5, n_lists=6)
    lists, table, weights = problem.write(tmp_path)
    read = GrowthLists.read(lists, None, "none")
    theta = read.theta(weights, allow_missing=False)
    rows = read.rows(table)
    channels = read.channels(rows, theta, False, table)
    counts = Posterior(read.data.shards, theta, rows.fired_feature).counts(channels)
    phi = [naive.normalised(t) for t in problem.table]
    gain, sums = 0.0, {row: [0.0, 0.0] for row in problem.rows}
    for kbest in problem.plain:
        p, mean = naive.posteriors(kbest, problem.table, phi, problem.weights, KEYS)
        gain += mean
        for q, (_, fires, own) in zip(p, kbest, strict=True):
            for row, count in fires.items():
                sums[row][own < mean] += abs(q * (own - mean) * count)
    assert counts.gain == pytest.approx(gain, rel=1e-12)
    fired = [problem.rows[k] for k in rows.fired]
    assert counts.raised == pytest.approx([sums[row][0] for row in fired], abs=1e-12)
    assert counts.lowered == pytest.approx([sums[row][1] for row in fired], abs=1e-12)


def test_jobs_and_shards_change_nothing_but_the_last_digits():
    lists = random_lists(3, 17)
    theta = np.random.default_rng(1).normal(size=len(lists[0].names))
    feature = np.arange(len(theta), dtype=np.int32)
    found = [
        Posterior(sharded(lists, cuts).shards, theta, feature, jobs).counts(())
        for cuts, jobs in (((), 1), ((4, 9), 1), ((4, 9), 3))
    ]
    assert found[1].raised.tobytes() == found[2].raised.tobytes()
    assert found[1].gain == found[2].gain
    for field in ("gain", "raised", "lowered"):
        one, other = (getattr(counts, field) for counts in found[:2])
        assert other == pytest.approx(one, rel=1e-12, abs=1e-15)


def test_dense_features_that_stay_are_one_number():
    lists = random_lists(3, 17)
    data = sharded(lists, (4, 9))
    theta = np.random.default_rng(1).normal(size=len(lists[0].names))
    feature = np.arange(7, dtype=np.int32)
    one = Posterior(data.shards, theta, feature).counts(())
    other = Posterior.of(data, theta, feature).counts(())
    for field in ("gain", "raised", "lowered"):
        assert np.array_equal(getattr(one, field), getattr(other, field))


def test_lists_without_gain_and_scores_that_overflow_are_refused():
    lists = random_lists(3, 3)
    data = sharded(lists, ())
    n = len(lists[0].names)
    feature = np.arange(n, dtype=np.int32)
    with (
        np.errstate(all="ignore"),
        pytest.raises(DataError, match=r"shard 0: sentence 0: .* numbers too large"),
    ):
        Posterior(data.shards, np.full(n, 1e308), feature).counts(())
    data.shards[0].lists.gain[:] = 0.0
    with pytest.raises(DataError, match="expected a hypothesis with a gain above 0"):
        Posterior(data.shards, np.zeros(n), feature).counts(())
