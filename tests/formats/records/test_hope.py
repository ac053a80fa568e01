from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from campanula.formats.records.columns import ColumnError
from campanula.formats.records.hope import Hope
from campanula.formats.records.names import Names
from tests.plain import plain
from tests.strategies import hopes


@given(hopes())
def test_round_trip(records: list[Hope]) -> None:
    for hope in records:
        assert plain(Hope.unpack(hope.pack(Names()), Names())) == plain(hope)


def test_a_hope_is_one_of_its_list() -> None:
    record = Hope(0, 3, np.array([3]), np.array([1.0])).pack(Names())
    with pytest.raises(ColumnError, match="expected hypotheses below 3, found 3"):
        Hope.unpack(record, Names())


def test_every_place_has_its_weight() -> None:
    record = Hope(0, 3, np.array([1, 2]), np.array([1.0])).pack(Names())
    with pytest.raises(ColumnError, match="expected 2 entries, found 1"):
        Hope.unpack(record, Names())


@pytest.mark.parametrize(
    ("index", "weight", "problem"),
    [
        ([1, 1], [0.5, 0.5], "expected different hypotheses"),
        ([0, 1], [0.5, 0.7], "add up to 1"),
        ([0, 1], [-1.0, 2.0], "at least 0"),
    ],
)
def test_weights_are_a_distribution_over_different_places(
    index: list[int], weight: list[float], problem: str
) -> None:
    record = Hope(0, 3, np.array(index), np.array(weight)).pack(Names())
    with pytest.raises(ColumnError, match=problem):
        Hope.unpack(record, Names())
