"""Numbers as the lists of other tools spell them: `-17.4`, `1E-5`, `+3`, `.5`; finite ones only."""

from __future__ import annotations

import math

from campanula.formats.nbest.rows import LineError


def looks_like_number(token: str) -> bool:
    """Whether a token is meant as a number, `nan` and `inf` too."""
    try:
        float(token)
    except ValueError:
        return False
    return "_" not in token and token.isascii()


def number(token: str, what: str) -> float:
    """Value of a token; raises LineError that says what it is the value of."""
    try:
        value = float(token)
    except ValueError:
        value = math.nan
    if math.isfinite(value) and "_" not in token and token.isascii():
        return value
    expected = "a finite number" if looks_like_number(token) else "a number"
    raise LineError(f"{what}: expected {expected}, found {token!r}")


def sentence_id(token: str) -> int:
    """Number of a sentence; raises LineError for what is no whole number from 0."""
    if token.isascii() and token.isdigit() and len(token) < 19:
        return int(token)
    raise LineError(f"expected a sentence number, found {token!r}")
