"""Reordering tables are joined to the phrase table by phrase pair, whatever the order."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.arrays.types import Words64
from campanula.formats.errors import DataError
from campanula.formats.moses.phrase_table import pair_key
from campanula.formats.moses.reordering_table import read_reordering_table

PAIRS = [(f"s{i % 4} x", [f"t{i}", "y"]) for i in range(9)]


def keys() -> Words64:
    return np.array([pair_key(s.encode(), [w.encode() for w in t]) for s, t in PAIRS], np.uint64)


def line(i: int) -> str:
    source, target = PAIRS[i]
    return f"{source} ||| {' '.join(target)} ||| {' '.join(f'0.{i + 1}' for _ in range(6))}\n"


@pytest.mark.parametrize("left_out", [None, 4])
@pytest.mark.parametrize("shuffled", [False, True])
def test_joins_rows_by_phrase_pair(tmp_path: Path, shuffled: bool, left_out: int | None) -> None:
    order = [i for i in range(9) if i != left_out]
    if shuffled:
        random.Random(1).shuffle(order)
    path = tmp_path / "reordering"
    path.write_text("".join(map(line, order)) + "other ||| pair ||| 1 1 1 1 1 1\n" * shuffled)
    score = read_reordering_table(str(path), keys())
    expected = np.log([[float(f"0.{i + 1}")] * 6 for i in range(9)])
    if left_out is not None:
        expected[left_out] = 0
    np.testing.assert_allclose(score, expected, rtol=1e-6)


def test_of_two_rows_the_first_counts(tmp_path: Path) -> None:
    path = tmp_path / "reordering"
    again = line(3).replace("0.4", "0.9")
    path.write_text("".join(map(line, range(9))) + again)
    score = read_reordering_table(str(path), keys())
    np.testing.assert_allclose(score[3], np.log(0.4), rtol=1e-6)


def test_a_table_of_other_phrase_pairs_is_refused_and_an_empty_one_has_none(tmp_path: Path) -> None:
    """What condense-features writes is empty where no orientation has a weight."""
    path = tmp_path / "reordering"
    path.write_text("x ||| y ||| 1 1 1 1 1 1\ny ||| x ||| 1 1 1 1 1 1\n")
    with pytest.raises(DataError, match="pairs of the phrase table, found none in 2 rows"):
        read_reordering_table(str(path), keys())
    path.write_text("")
    assert not read_reordering_table(str(path), keys()).any()


def test_six_scores_are_expected(tmp_path: Path) -> None:
    path = tmp_path / "reordering"
    path.write_text(line(0) + "a ||| b ||| 0.1 0.2 0.3\n")
    with pytest.raises(DataError, match="line 2: expected 6 scores, found 3"):
        read_reordering_table(str(path), keys())
