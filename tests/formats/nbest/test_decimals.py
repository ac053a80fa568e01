"""Numbers read eight characters at a time are those of `float`, to the last bit."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.nbest.decimals import MARGIN, decimals


def read(*tokens: bytes) -> list[float] | None:
    """Values of tokens, as a list; None when one is no number."""
    text = b" " * MARGIN + b" ".join(tokens) + b" "
    end = MARGIN - 1 + np.cumsum([len(token) + 1 for token in tokens])
    start = end - [len(token) for token in tokens]
    value = decimals(np.frombuffer(text, np.uint8), start, end)
    return None if value is None else value.tolist()


def expected(token: bytes) -> float | None:
    """What `float` makes of a token, None when that is no finite number."""
    try:
        value = float(token)
    except ValueError:
        return None
    return value if math.isfinite(value) and b"_" not in token else None


def same(values: list[float], others: list[float]) -> bool:
    return [value.hex() for value in values] == [other.hex() for other in others]


DIGITS = st.text("0123456789", max_size=18)
SPELT = st.builds("{}{}{}{}".format, st.sampled_from(["", "-", "+"]), DIGITS, st.just("."), DIGITS)
WHOLE = st.from_regex(r"-?[0-9]{1,18}", fullmatch=True)
SHORT = st.floats(allow_nan=False, allow_infinity=False).map(lambda value: f"{value:.6g}")


@given(st.lists(st.one_of(SPELT, WHOLE, SHORT), min_size=1, max_size=30))
def test_decimals(tokens: list[str]) -> None:
    encoded = [token.encode() for token in tokens]
    values = [value for token in encoded if (value := expected(token)) is not None]
    found = read(*encoded)
    if len(values) < len(encoded):
        assert found is None
    else:
        assert found is not None
        assert same(found, values)


@pytest.mark.parametrize(
    "token",
    b"- . -. -.- 1.2.3 1.. ..1 1234567.12345.1 12345.678.12345 nan inf 1e999 0,5 1_0 x 0x10 --1 1- "
    b"+-1 1=2 \xc2\xa01 1/2 1:2 1;2 (1 -\x001 \xef\xbc\x91".split(b" "),
)
def test_what_is_no_number(token: bytes) -> None:
    assert read(b"1", token, b"2") is None
    assert read(b"1", b"2", b"3") == [1.0, 2.0, 3.0]


@given(
    st.binary(min_size=1, max_size=20).filter(lambda token: not set(token) & set(b" \t\r\n\v\f"))
)
def test_bytes_are_read_as_float_reads_them(token: bytes) -> None:
    value, values = expected(token), read(token)
    if value is None:
        assert values is None
    else:
        assert values is not None
        assert same(values, [value])


def test_signs_of_zero_and_large_numbers() -> None:
    tokens = b"-0 0 -0.0 +.5 5. 999999999999999 9999999999999999 123456789012345678 1E5".split()
    values = read(*tokens)
    assert values is not None
    assert same(values, [float(token) for token in tokens])
