from __future__ import annotations

import math

import pytest

from campanula.formats.errors import LineError
from campanula.formats.text.numbers import (
    decimals,
    finite_number,
    float_or_nan,
    looks_like_number,
    number,
    sentence_id,
    whole_number,
)


@pytest.mark.parametrize(
    ("token", "value"),
    [("1e+10", 1e10), ("1E-5", 1e-5), ("+3", 3.0), (".5", 0.5), ("-0", -0.0), ("5.", 5.0)],
)
def test_numbers_as_other_tools_spell_them(token: str, value: float) -> None:
    assert number(token, "score").hex() == value.hex()


@pytest.mark.parametrize("token", ["nan", "-inf", "infinity", "1e999"])
def test_what_is_not_finite_is_refused(token: str) -> None:
    assert looks_like_number(token)
    with pytest.raises(LineError, match="score: expected a finite number, found"):
        number(token, "score")


@pytest.mark.parametrize("token", ["", "0,5", "1_0", "1e5_0", "0x10", "١", "１", "1-2", "a"])
def test_what_is_no_number_is_refused(token: str) -> None:
    assert not looks_like_number(token)
    with pytest.raises(LineError, match="score: expected a number, found"):
        number(token, "score")


def test_sentence_ids() -> None:
    assert sentence_id("017") == 17
    for token in ("", "-1", "1.0", "+1", "1_0", "²", "9" * 30):
        with pytest.raises(LineError, match="expected a sentence number"):
            sentence_id(token)


def test_a_decimal_number_is_a_float_and_all_else_is_nan() -> None:
    assert float_or_nan(b"-1e3") == -1000.0
    assert float_or_nan("1e999") == math.inf
    for text in ("1_0", "x", "", "inf", "nan", "infinity", " 1", "1\v", "1\x1c", "e", "1e", "１"):
        assert math.isnan(float_or_nan(text)), text
        assert math.isnan(float_or_nan(text.encode())), text


def test_many_decimals_are_read_at_once() -> None:
    assert decimals([b"1", b"-.5", b"1e400"]) == [1.0, -0.5, math.inf]
    assert decimals([]) == []
    for token in (b"0_7", b"nan", b"infinity", "１".encode(), b"", b"1e", b" 1"):
        with pytest.raises(ValueError, match=r"expected decimal|could not convert"):
            decimals([b"1", token])


def test_whole_numbers() -> None:
    assert whole_number("007") == 7
    for token in ("", "-1", "+1", "1_0", "1.0", " 1", "²", "１", "9" * 19):
        assert whole_number(token) is None


def test_a_finite_number_may_have_blanks_around_it() -> None:
    assert finite_number(" 1e-300\t") == 1e-300
    for text in ("", "x", "nan", "inf", "1_0", "0,5", "1e999", "１"):
        with pytest.raises(LineError, match=f"expected a finite number, found {text!r}"):
            finite_number(text)


def test_what_is_no_number_at_all_has_its_own_words() -> None:
    with pytest.raises(LineError, match="expected a number, found 'x'"):
        finite_number("x", "a number")
    with pytest.raises(LineError, match="expected a finite number, found 'nan'"):
        finite_number("nan", "a number")
