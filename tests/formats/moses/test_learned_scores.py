"""Lines of tables with learned scores."""

import math

import numpy as np

from campanula.formats.moses.learned_scores import (
    beyond,
    reordering_rows,
    score_texts,
    with_scores,
)

ROWS = [[b"a b ", b" c ", b" 1 0.5 ", b" 0-0"], [b"a ", b"  ", b" 1 0.5"]]


def test_nine_digits_hold_a_sum_to_1e_9() -> None:
    value = np.random.default_rng(1).uniform(-100, 700, (50, 2))
    for row, text in zip(value.tolist(), score_texts(value), strict=True):
        for expected, word in zip(row, text.split(), strict=True):
            assert abs(math.log(float(word)) - expected) < 1e-8


def test_a_column_stands_behind_the_scores() -> None:
    lines = with_scores(ROWS, np.array([[0.0, 1.0], [-1.0, 0.0]]))
    expected = b"a b ||| c ||| 1 0.5 1 2.71828183 ||| 0-0\na |||  ||| 1 0.5 0.367879441 1\n"
    assert lines == expected
    assert with_scores(ROWS, np.zeros((2, 0))) == b"a b ||| c ||| 1 0.5 ||| 0-0\na |||  ||| 1 0.5\n"


def test_a_reordering_table_has_the_pairs_that_have_weights() -> None:
    value = np.zeros((2, 6))
    assert reordering_rows(ROWS, value) == b""
    value[1, 4] = 1.0
    assert reordering_rows(ROWS, value) == b"a |||  ||| 1 1 1 1 2.71828183 1\n"


def test_sums_beyond_what_a_table_holds() -> None:
    value = np.array([-100.0, -100.1, 700.0, 700.1, math.nan, 0.0])
    assert beyond(value).tolist() == [False, True, False, True, True, False]
