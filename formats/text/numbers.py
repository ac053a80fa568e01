"""Numbers as text: `-17.4`, `1E-5`, `+3`, `.5`.

Python reads more than other tools write: `1_000`, the digits of other scripts, `nan`, `infinity`,
blanks of every kind.  Who may meet such a text asks one of these functions.  What is read is a
decimal number in ASCII, finite and with nothing around it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from campanula.formats.errors import LineError

CHARACTERS = "0123456789+-.eE"  # of a decimal number
DIGITS = 18  # of a whole number that no overflow can meet
_BYTES = CHARACTERS.encode()


def float_or_nan(text: str | bytes) -> float:
    """A decimal number, infinite when it is too large; NaN for any other text."""
    # what is left when all such characters are taken from the ends has another within
    other = text.strip(_BYTES) if isinstance(text, bytes) else text.strip(CHARACTERS)
    if other or not text:
        return math.nan
    try:
        return float(text)
    except ValueError:
        return math.nan


def decimals(tokens: Iterable[bytes]) -> list[float]:
    """The numbers of many tokens; raises ValueError when one is no decimal number."""
    found = list(tokens)
    if b"".join(found).translate(None, _BYTES):
        raise ValueError("expected decimal numbers")
    return list(map(float, found))


def finite_number(text: str, expected: str = "a finite number") -> float:
    """A finite number, which blanks may stand around.

    Raises LineError that says what was found, and what was expected where it is no number at all.
    """
    token = text.strip(" \t\r\n")
    value = float_or_nan(token)
    if math.isfinite(value):
        return value
    expected = "a finite number" if looks_like_number(token) else expected
    raise LineError(f"expected {expected}, found {token!r}")


def looks_like_number(token: str) -> bool:
    """Whether a token is meant as a number, `nan` and `inf` too."""
    try:
        float(token)
    except ValueError:
        return False
    return "_" not in token and token.isascii()


def number(token: str, what: str) -> float:
    """A finite number; raises LineError that says what it should be the value of."""
    value = float_or_nan(token)
    if math.isfinite(value):
        return value
    expected = "a finite number" if looks_like_number(token) else "a number"
    raise LineError(f"{what}: expected {expected}, found {token!r}")


def whole_number(token: str) -> int | None:
    """A whole number from 0 in decimal digits; None for any other text, and for more digits."""
    if token.isascii() and token.isdigit() and len(token) <= DIGITS:
        return int(token)
    return None


def sentence_id(token: str) -> int:
    """Number of a sentence; raises LineError for what is no whole number from 0."""
    number = whole_number(token)
    if number is None:
        raise LineError(f"expected a sentence number, found {token!r}")
    return number
