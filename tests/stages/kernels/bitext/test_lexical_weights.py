"""Lexical weights of a small table, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.bitext.lexical_weights import (
    LexicalTable,
    PhrasePlaces,
    lexical_table,
    lexical_weights,
)


@pytest.fixture
def table() -> LexicalTable:
    """Links 0-0 three times, 0-1 once, 1-1 once; word 0 given, 2 predicted alone."""
    given, predicted = np.array([0, 0, 0, 0, 1]), np.array([0, 0, 0, 1, 1])
    return lexical_table(given, predicted, np.array([0]), np.array([2, 2, 1]), 2, 3)


def test_shares_of_links_and_of_null(table: LexicalTable) -> None:
    assert table.row.tolist() == [0, 2, 3]
    assert table.predicted.tolist() == [0, 1, 1]
    assert table.prob.tolist() == [0.6, 0.2, 1.0]
    assert table.null.tolist() == [1e-7, 0.3333333, 0.6666667]  # never 0


def weight(
    table: LexicalTable, given: list[int], predicted: list[int], links: list[tuple[int, int]]
) -> float:
    pattern = sum(1 << (8 * t + s) for s, t in links)
    first, second = (
        PhrasePlaces(np.array(w), np.array([0]), np.array([len(w)])) for w in (given, predicted)
    )
    found = lexical_weights(table, first, second, np.array([pattern]))
    return float(found[0])


def test_product_of_means(table: LexicalTable) -> None:
    assert weight(table, [0], [0], [(0, 0)]) == 0.6
    assert weight(table, [0, 1], [1], [(0, 0), (1, 0)]) == pytest.approx((0.2 + 1.0) / 2)
    assert weight(table, [0, 1], [0, 2], [(0, 0)]) == pytest.approx(0.6 * 0.6666667)


def test_no_pairs(table: LexicalTable) -> None:
    nothing = np.zeros(0, np.int64)
    none = PhrasePlaces(nothing, nothing, nothing)
    assert len(lexical_weights(table, none, none, nothing)) == 0


def test_a_text_without_links() -> None:
    nothing = np.zeros(0, np.int64)
    empty = lexical_table(nothing, nothing, nothing, nothing, 1, 1)
    assert (empty.row.tolist(), empty.null.tolist()) == ([0, 0], [1e-7])
