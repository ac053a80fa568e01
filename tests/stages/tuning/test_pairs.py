import numpy as np

from campanula.stages.tuning.pairs import PairSampling, sample_list


def test_pairs_are_those_of_the_largest_differences():
    gain = np.random.default_rng(1).random(30)
    better, worse = sample_list(gain, PairSampling(500, 20, 0.05, seed=3), sid=7)
    difference = gain[better] - gain[worse]
    assert len(better) == 20
    assert (np.diff(difference) <= 0).all()
    rng = np.random.default_rng([3, 7])
    a, b = rng.integers(30, size=(2, 500))
    drawn = np.sort(np.abs(gain[a] - gain[b]))[::-1]
    assert np.allclose(difference, drawn[:20])


def test_small_differences_give_no_pair():
    better, worse = sample_list(np.full(9, 0.5), PairSampling(), sid=0)
    assert len(better) == len(worse) == 0


def test_a_list_draws_the_same_whatever_its_place():
    gain = np.random.default_rng(2).random(300)
    first, again = (sample_list(gain, PairSampling(), 4)[0] for _ in range(2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, sample_list(gain, PairSampling(seed=2), 4)[0])
