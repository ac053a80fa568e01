from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.records import columns
from campanula.formats.records.columns import ColumnError
from tests.plain import float_column


@given(st.lists(st.integers(-(1 << 63), (1 << 63) - 1)))
def test_integers_round_trip(values: list[int]) -> None:
    packed = columns.pack_ints(np.array(values, np.int64))
    assert columns.unpack_ints({"x": packed}, "x", len(values)).tolist() == values


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_floats_round_trip_to_the_bit(values: list[float]) -> None:
    packed = columns.pack_floats(values)
    read = columns.unpack_floats({"x": packed}, "x", len(values))
    assert read.tobytes() == np.array(values, np.float64).tobytes()


@pytest.mark.parametrize(
    ("values", "dtype"),
    [([0, 255], "|u1"), ([256], "<u2"), ([1 << 16], "<u4"), ([1 << 32], "<i8"), ([-1], "<i8")],
)
def test_integers_travel_in_the_narrowest_type(values: list[int], dtype: str) -> None:
    assert columns.pack_ints(np.array(values))[0] == dtype


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_refused(value: float) -> None:
    with pytest.raises(ColumnError, match=r"column 'x': expected finite numbers, found .* at 1"):
        columns.unpack_floats({"x": float_column([0.0, value])}, "x")
    with pytest.raises(ColumnError, match="expected finite numbers, found"):
        columns.pack_floats([0.0, value])


@pytest.mark.parametrize(
    ("column", "problem"),
    [
        (None, "expected a column 'x', found NoneType"),
        (["<f8"], "expected a column"),
        (["<f8", "text"], "expected a column"),
        (["|O", b"12345678"], "expected one of <f8, <f4"),
        (["<f8", b"1234567"], "no whole number"),
        (["<f8", b"12345678" * 2], "expected 1 entries, found 2"),
    ],
)
def test_damaged_columns_are_refused(column: list[str | bytes] | None, problem: str) -> None:
    with pytest.raises(ColumnError, match=problem):
        columns.unpack_floats({"x": column}, "x", 1)


@pytest.mark.parametrize("ids", [[3], [-1], [0, 300]])
def test_ids_stay_below_their_limit(ids: list[int]) -> None:
    with pytest.raises(ColumnError, match="expected ids below 3"):
        columns.unpack_ids({"x": columns.pack_ints(np.array(ids))}, "x", 3)


def test_lengths_become_pointers() -> None:
    packed = columns.pack_lengths(np.array([0, 2, 2, 5]))
    assert columns.unpack_lengths({"x": packed}, "x", 3, 5).tolist() == [0, 2, 2, 5]


@pytest.mark.parametrize("lengths", [[2, 1], [-1, 6], [6, -1], [1 << 62, 1 << 62]])
def test_lengths_that_do_not_add_up_are_refused(lengths: list[int]) -> None:
    with pytest.raises(ColumnError, match="expected lengths"):
        columns.unpack_lengths({"x": columns.pack_ints(np.array(lengths))}, "x", 2, 5)


@pytest.mark.parametrize("value", [None, -1, True, 1.0, "1"])
def test_a_whole_number_is_one(value: float | str | None) -> None:
    with pytest.raises(ColumnError, match="expected a whole number 'x'"):
        columns.unpack_int({"x": value}, "x")
