import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.stages.growth.channel import Channel, PassCounts, norm_of
from campanula.stages.growth.phrase_rows import FLOOR, PhraseRows

CONDITION = np.array([0, 0, 1, 1, 1], np.int32)


def rows_of(scores, fires, condition=CONDITION):
    """Rows that have the same scores and conditions on both sides."""
    fires = np.array(fires)
    fired = np.flatnonzero(fires)
    scores = np.array(scores)
    sums = np.bincount(condition[~fires], scores[~fires], int(condition.max()) + 1)
    rest = sums.astype(np.float64)  # which they are, but numpy's types say whole numbers
    feature = np.where(fires, np.arange(len(fires)), -1).astype(np.int32)
    probability = np.stack([scores[fired], scores[fired]])
    return PhraseRows((condition, condition), feature, fired, probability, (rest, rest))


def channel(scores, fires, weight=1.0, filtered=False):
    rows = rows_of(scores, fires)
    return Channel.of(rows, 0, weight, norm_of(rows, 0, filtered, "table"))


def counts(raised, lowered, gain=2.0):
    return PassCounts(gain, np.array(raised), np.array(lowered))


def test_scores_are_divided_by_their_sum():
    start = channel([0.2, 0.2, 0.5, 0.5, 1.0], [True, False, True, True, False])
    assert start.norm.tolist() == [0.4, 2.0]
    assert start.own == pytest.approx([0.5, 0.25, 0.25])
    assert start.rest == pytest.approx([0.5, 0.5])
    assert start.sums() == pytest.approx([1.0, 1.0], abs=1e-15)
    assert start.divergence() == 0.0
    assert start.change() == pytest.approx(-np.log([0.4, 2.0, 2.0]))
    assert start.factor() == pytest.approx([2.5, 0.5])


def test_a_filtered_table_keeps_what_it_lacks_of_one():
    start = channel([0.2, 0.2, 0.2, 0.2, 0.2], [True, False, True, True, False], filtered=True)
    assert start.own.tolist() == [0.2, 0.2, 0.2]
    assert start.rest == pytest.approx([0.8, 0.6])
    assert (start.factor() == 1.0).all()
    with pytest.raises(DataError, match=r"table: expected probabilities .* found 1.2"):
        channel([0.6, 0.6, 0.2, 0.2, 0.2], [True] * 5, filtered=True)


@pytest.mark.parametrize("filtered", [False, True])
def test_sums_that_no_number_holds_are_refused(filtered):
    with pytest.raises(DataError, match=r"table: expected probabilities whose sum .* found inf"):
        channel([1e308, 1e308, 0.2, 0.2, 0.2], [False, False, True, True, True], filtered=filtered)


def test_a_step_is_the_formula():
    start = channel([0.25, 0.75, 0.5, 0.5, 0.0], [True, False, True, True, False], weight=2.0)
    moved = start.moved(counts([0.3, 0.4, 0.1], [0.1, 0.0, 0.12]), 0.05, 1.0)
    gamma, pull = 2.0 * np.array([0.2, 0.4, -0.02]), 0.1
    D = np.array([2.0 * 0.1, 2.0 * 0.12])
    first = np.array([gamma[0] + 0.25 * (pull + D[0]), 0.75 * (pull + D[0])])
    first /= first.sum()
    second = gamma[1:] + 0.5 * (pull + D[1])
    second /= second.sum()
    assert moved.own == pytest.approx([first[0], *second])
    assert moved.scale[0] == pytest.approx(first[1] / 0.75)
    assert moved.sums() == pytest.approx([1.0, 1.0], abs=1e-15)


def test_a_weight_below_0_turns_what_is_below():
    start = channel([0.5, 0.5, 0.4, 0.4, 0.2], [True] * 5, weight=-1.0)
    zeros = [0.0] * 5
    moved = start.moved(counts([0.3, 0.0, 0.0, 0.0, 0.0], zeros), 0.0, 1.0)
    assert moved.own[:2] == pytest.approx([0.05, 0.95])  # not below a tenth of what it was
    assert (moved.own[2:] == start.own[2:]).all()


def test_no_probability_falls_below_a_tenth_or_the_floor():
    start = channel([1e-9, 1.0, FLOOR, 1.0, 1.0], [True] * 5)
    moved = start.moved(counts([0.0] * 5, [5.0, 0.0, 7.0, 0.0, 0.0]), 0.0, 1.0)
    assert moved.own[0] == pytest.approx(1e-10, rel=1e-6)
    assert moved.own[2] == FLOOR
    assert moved.sums() == pytest.approx([1.0, 1.0], abs=1e-12)
