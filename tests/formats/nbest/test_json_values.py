"""Texts and numbers of JSON values."""

from __future__ import annotations

import math

import pytest

from campanula.formats.errors import LineError
from campanula.formats.nbest.json_values import (
    array,
    as_field,
    check_text,
    finite,
    is_number,
    numbers,
    record,
    shown,
    string,
)


def test_as_many_numbers_as_hypotheses() -> None:
    assert numbers([1, -2.5], 2, "am") == [1.0, -2.5]
    for values, problem in (
        ([1], "'am': expected 2 numbers, as there are hypotheses, found 1"),
        ([1, math.nan], "hypothesis 1: 'am': expected a finite number, found nan"),
        ([1, "2"], "hypothesis 1: 'am': expected a number, found '2'"),
        (3, "expected an array under 'am', found 3"),
    ):
        with pytest.raises(LineError) as error:
            numbers(values, 2, "am")
        assert str(error.value) == problem


def test_values_as_text() -> None:
    assert [as_field(value) for value in ("a", 0.5, ["é"], None)] == ["a", "0.5", '["é"]', "null"]
    assert [shown(value) for value in ("a", None)] == ["'a'", "null"]
    assert [is_number(value) for value in (1, 0.5, True, "1", None)] == [True, True] + [False] * 3
    with pytest.raises(LineError, match="expected a string under 'text', found null"):
        string(None, "'text'")


def test_values_of_another_kind_are_refused() -> None:
    assert record({"a": 1}) == {"a": 1}
    assert array([1], "'a'") == [1]
    assert finite(3, "a") == 3.0
    check_text(["a", "\U0001f600"])
    with pytest.raises(LineError, match="expected an object of JSON, found 3"):
        record(3)
    with pytest.raises(LineError, match="expected an array under 'a', found "):
        array({}, "'a'")
    with pytest.raises(LineError, match="a: expected a finite number, found 1000"):
        finite(10**400, "a")
    with pytest.raises(LineError, match=r"expected text, found .*surrogates not allowed"):
        check_text(["a", "\ud800"])
