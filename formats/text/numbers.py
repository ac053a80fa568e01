"""Numbers as text: `-17.4`, `1E-5`, `+3`, `.5`.

Python reads more than other tools write: `1_000`, the digits of other scripts, `nan` and `inf`.
Who may meet such a text asks one of these functions, each of which says what it takes.
"""

from __future__ import annotations

import math

from campanula.formats.errors import LineError


def float_or_nan(text: str | bytes) -> float:
    """What Python reads as a number, NaN for any other text."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def finite_number(text: str, expected: str = "a finite number") -> float:
    """A finite number, which blanks may stand around.

    Raises LineError that says what was found, and what was expected where it is no number at all.
    """
    try:
        value = math.nan if "_" in text else float(text)
    except ValueError:
        raise LineError(f"expected {expected}, found {text.strip()!r}") from None
    if not math.isfinite(value):
        raise LineError(f"expected a finite number, found {text.strip()!r}")
    return value


def looks_like_number(token: str) -> bool:
    """Whether a token is meant as a number, `nan` and `inf` too."""
    try:
        float(token)
    except ValueError:
        return False
    return "_" not in token and token.isascii()


def number(token: str, what: str) -> float:
    """A finite number in ASCII; raises LineError that says what it should be the value of."""
    value = float_or_nan(token)
    if math.isfinite(value) and "_" not in token and token.isascii():
        return value
    expected = "a finite number" if looks_like_number(token) else "a number"
    raise LineError(f"{what}: expected {expected}, found {token!r}")


def sentence_id(token: str) -> int:
    """Number of a sentence; raises LineError for what is no whole number from 0."""
    if token.isascii() and token.isdigit() and len(token) < 19:
        return int(token)
    raise LineError(f"expected a sentence number, found {token!r}")
