"""Numbers as text: `-17.4`, `1E-5`, `+3`, `.5`.

Python's float() accepts texts that other tools do not write or read: `1_000`, digits of other
scripts, `nan`, `infinity`, blanks of every kind.  These functions accept decimal numbers in ASCII
alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from campanula.formats.errors import LineError

CHARACTERS = "0123456789+-.eE"  # all that a decimal number may have
DIGITS = 18  # most digits of a whole number that surely fits into 64 bits
_BYTES = CHARACTERS.encode()


def float_or_nan(text: str | bytes) -> float:
    """Parse a decimal number, infinite when it is too large; NaN for any other text."""
    # stripping all allowed characters leaves text exactly if another character is in it
    other = text.strip(_BYTES) if isinstance(text, bytes) else text.strip(CHARACTERS)
    if other or not text:
        return math.nan
    try:
        return float(text)
    except ValueError:
        return math.nan


def decimals(tokens: Iterable[bytes]) -> list[float]:
    """Parse many tokens; raises ValueError when one is no decimal number."""
    texts = list(tokens)
    if b"".join(texts).translate(None, _BYTES):  # another character in any of them
        raise ValueError("expected decimal numbers")
    return list(map(float, texts))


def finite_number(text: str, expected: str = "a finite number") -> float:
    """Parse a finite number, with or without blanks around it.

    Raises LineError with what was found, and with `expected` if the text is no number at all.
    """
    token = text.strip(" \t\r\n")
    value = float_or_nan(token)
    if math.isfinite(value):
        return value
    expected = "a finite number" if looks_like_number(token) else expected
    raise LineError(f"expected {expected}, found {token!r}")


def looks_like_number(token: str) -> bool:
    """Whether a token is meant as a number, which includes `nan` and `inf`."""
    try:
        float(token)
    except ValueError:
        return False
    return "_" not in token and token.isascii()


def number(token: str, what: str) -> float:
    """Parse a finite number; raises LineError that begins with `what`, whose value it is."""
    value = float_or_nan(token)
    if math.isfinite(value):
        return value
    expected = "a finite number" if looks_like_number(token) else "a number"
    raise LineError(f"{what}: expected {expected}, found {token!r}")


def whole_number(token: str) -> int | None:
    """Parse a whole number from 0 of at most DIGITS digits; None for any other text."""
    if token.isascii() and token.isdigit() and len(token) <= DIGITS:
        return int(token)
    return None


def sentence_id(token: str) -> int:
    """Parse the number of a sentence; raises LineError unless it is a whole number from 0."""
    number = whole_number(token)
    if number is None:
        raise LineError(f"expected a sentence number, found {token!r}")
    return number
