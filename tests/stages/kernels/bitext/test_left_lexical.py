"""Kernels of lexical weights without a pair's links; whole lists stand in tests of decoding."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.bitext import left_lexical
from campanula.stages.kernels.bitext.left_lexical import log_gain, share
from campanula.stages.kernels.bitext.left_records import OF_LEX, OF_LEX_INVERSE, Patterns


def test_no_weight_gains_more_than_the_bound():
    for total in (1, 7, 5_000_000):
        for n in (0, 1, total // 2, 3 * total):
            for count in {1, (total + 1) // 2, total}:
                gain = np.log(share(count, total)) - np.log(share(count, total + n))
                assert gain <= log_gain(total, n)


def test_shares_are_rounded_and_never_0():
    assert share(1, 3) == 0.3333333
    assert share(0, 3) == share(0, 0) == left_lexical.LEAST


def test_the_most_frequent_pattern_of_a_row_and_its_ties():
    """A tie is broken from either side, so that the two patterns may be of different blocks."""
    later_source = 1 << 1  # source word 1 is linked to target word 0: bit 1 of byte 0
    later_target = 1 << 8  # source word 0 is linked to target word 1
    pattern = np.array([1, later_source, 1, later_source, later_target])
    patterns = Patterns(np.array([0, 2, 5]), pattern, np.array([3, 2, 1, 4, 4]))
    assert left_lexical.frequent_patterns(0, patterns) == (3, 1, 1)
    # seen from the target, later_target has the form of later_source, and sorts last
    assert left_lexical.frequent_patterns(1, patterns) == (4, later_source, later_source)
    patterns.times[2:] = 0
    assert left_lexical.frequent_patterns(1, patterns)[0] == 0


def test_a_score_gains_what_its_logarithms_gain_and_without_bound_by_a_negative_weight():
    weight = np.array([0.5, -1.0, 0.0, 0.0])
    weight[OF_LEX_INVERSE] = 2.0
    printed = left_lexical.PRINTED * 3.5
    assert left_lexical.weighted_gain(weight, 0.25, 4.0) == pytest.approx(2.0 * 0.25 + printed)
    weight[OF_LEX] = -0.1
    assert left_lexical.weighted_gain(weight, 0.25, 4.0) == np.inf
