"""Upper envelopes against winners in exact fractions."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from campanula.stages.kernels.solvers import envelope


def padded(score, slope):
    size = -(-len(score) // envelope.PAD) * envelope.PAD
    s, a = np.full(size, -np.inf), np.zeros(size)
    s[: len(score)], a[: len(slope)] = score, slope
    return s, a


def found(score, slope, guess=()):
    """Lines and changes; nothing if all slopes are equal."""
    s, a = padded(score, slope)
    room = envelope.scratch(len(s))
    room.line[: len(guess)] = guess
    n = envelope.upper_envelope(s, a, min(slope), max(slope), len(guess), room)
    return room.line[:n].tolist(), room.x[: n - 1].tolist()


def winner(score, slope, x):
    """The highest line at x, exactly; of those as high the first."""
    y = [Fraction(s) + x * Fraction(a) for s, a in zip(score, slope, strict=True)]
    return max(range(len(y)), key=lambda j: (y[j], -j))


def random_lines(seed, whole):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 70))
    if whole:
        return rng.integers(-4, 5, n).astype(float), rng.integers(-3, 4, n).astype(float)
    return rng.normal(size=n), rng.normal(size=n)


def check(score, slope, lines, x):
    """Within every piece of some width its line is the winner; the places ascend."""
    marks = [Fraction(-1000), *map(Fraction, x), Fraction(1000)]
    for line, (left, right) in zip(lines, pairwise(marks), strict=True):
        assert right - left > -1e-9
        if right - left > 1e-9:
            assert winner(score, slope, (left + right) / 2) == line


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("seed", range(20))
def test_every_piece_is_the_winner_there(seed, whole):
    score, slope = random_lines(seed, whole)
    if min(slope) < max(slope):
        check(score, slope, *found(score, slope))


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("seed", range(20))
def test_a_guess_changes_the_work_alone(seed, whole):
    score, slope = random_lines(seed, whole)
    if min(slope) == max(slope):
        return
    rng = np.random.default_rng(seed)
    nearby, _ = found(score + rng.integers(-1, 2, len(score)), slope)
    guessed = found(score, slope, nearby)
    check(score, slope, *guessed)
    if not whole:
        assert guessed == found(score, slope)
    ends = [int(np.argmin(slope)), int(np.argmax(slope))]
    check(score, slope, *found(score, slope, ends))


def test_of_identical_lines_the_first_wins():
    assert found([1.0, 1.0, 2.0, 2.0, 1.0], [-1.0, -1.0, 0.0, 0.0, 1.0]) == ([0, 2, 4], [-1.0, 1.0])


def test_three_lines_that_meet_in_one_point_change_there():
    lines, x = found([0.0, 0.0, 0.0], [-1.0, 0.0, 1.0])
    assert (lines[0], lines[-1]) == (0, 2)
    assert set(x) == {0.0}


def test_almost_equal_slopes_meet_far_away_and_finitely():
    _, x = found([0.0, 1e10], [5e-324, 0.0])
    assert x == [envelope.FARTHEST]


def test_place_of_max_takes_negative_numbers_and_infinity():
    room = envelope.scratch(32)
    for values in ([-3.0, -1.0, -1.0, -2.0], [-np.inf, -5.0], [1.0, 7.0, 7.0, -8.0], [0.0, -1.0]):
        room.value[: len(values)] = values
        assert envelope.place_of_max(room.key[: len(values)]) == np.argmax(values)
