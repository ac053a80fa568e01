"""Envelopes from a guess against those from scratch."""

import numpy as np
import pytest

from campanula.stages.kernels.solvers import envelope
from campanula.stages.kernels.solvers.nearby import nearby_envelope
from tests.stages.kernels.solvers.test_envelope import check, found, padded, random_lines


def nearby(score, slope, guess=()):
    """Lines and changes; None where rounding might decide."""
    s, a = padded(score, slope)
    room = envelope.scratch(len(s))
    ends = float(min(slope)), float(max(slope))
    winner = int(np.argmax(score))
    n = nearby_envelope(s, a, ends, np.array(guess, np.int32), winner, room)
    return (room.line[:n].tolist(), room.x[: n - 1].tolist()) if n else None


@pytest.mark.parametrize("seed", range(30))
def test_the_envelope_is_that_of_all_lines(seed):
    score, slope = random_lines(seed, whole=False)
    expected = found(score, slope)
    rng = np.random.default_rng(seed)
    other, _ = found(rng.normal(size=len(score)), slope)
    close, _ = found(score + 0.1 * rng.normal(size=len(score)), slope)
    for guess in ((), expected[0], other, close):
        assert nearby(score, slope, guess) == expected


@pytest.mark.parametrize("seed", range(30))
def test_small_whole_numbers_are_found_or_left(seed):
    score, slope = random_lines(seed, whole=True)
    if min(slope) < max(slope):
        result = nearby(score, slope)
        assert result is None or result == found(score, slope)
        if result is not None:
            check(score, slope, *result)


@pytest.mark.parametrize(
    ("score", "slope"),
    [
        ([0.0, 0.0, 0.0], [-1.0, 0.0, 1.0]),  # three lines through one point
        ([1.0, 1.0, 0.0], [-1.0, -1.0, 1.0]),  # identical lines
        ([1.0, 1.0 - 1e-15, 1.0], [-1.0, 0.0, 1.0]),  # below by what rounding may come to
    ],
)
def test_what_rounding_might_decide_is_left(score, slope):
    assert nearby(score, slope) is None


def test_a_higher_line_of_a_known_slope_takes_its_place():
    score, slope = [0.0, 3.0, 0.0, 2.0, 1.0], [-1.0, 0.0, 1.0, -1.0, 1.0]
    assert nearby(score, slope, [0, 1, 2]) == found(score, slope) == ([3, 1, 4], [-1.0, 2.0])


@pytest.mark.filterwarnings("ignore:overflow")  # of NumPy's numbers, where Python runs the kernel
def test_lines_that_meet_far_away_are_found_or_left():
    score, slope = [0.0, 1e300, 0.0], [-1e-300, 0.0, 1e-300]
    assert nearby(score, slope) in (None, found(score, slope))
