"""Checks of JSON values: objects, arrays, texts, finite numbers; and how messages show a value."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

from campanula.formats.errors import SHOWN, LineError, quoted


def record(value: Any) -> Mapping[str, Any]:
    """Return a value that must be an object; raises LineError."""
    if not isinstance(value, dict):
        raise LineError(f"expected an object of JSON, found {shown(value)}")
    return value


def array(value: Any, what: str) -> list[Any]:
    """Return a value that must be an array; raises LineError that names `what`."""
    if not isinstance(value, list):
        raise LineError(f"expected an array under {what}, found {shown(value)}")
    return value


def string(value: Any, what: str) -> str:
    """Return a value that must be a string; raises LineError that names `what`."""
    if not isinstance(value, str):
        raise LineError(f"expected a string under {what}, found {shown(value)}")
    return value


def check_text(texts: Iterable[str]) -> None:
    """Raise LineError for a lone surrogate, which JSON can escape but UTF-8 cannot encode."""
    for text in texts:
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise LineError(f"expected text, found {quoted(text)} ({error.reason})") from error


def is_number(value: Any) -> bool:
    """Whether a value is a number of JSON, finite or not; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def finite(value: Any, what: str) -> float:
    """Return a value that must be a finite number; raises LineError that names `what`."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise LineError(f"{what}: expected a number, found {value!r}")
    try:
        number = float(value)
    # an int of JSON may have any number of digits
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise LineError(f"{what}: expected a finite number, found {str(value)[:40]}")
    return number


def numbers(values: Any, size: int, what: str) -> list[float]:
    """Return an array of `size` finite numbers, one per hypothesis; raises LineError."""
    column = array(values, repr(what))
    if len(column) != size:
        raise LineError(
            f"{what!r}: expected {size} numbers, as there are hypotheses, found {len(column)}"
        )
    return [finite(value, f"hypothesis {rank}: {what!r}") for rank, value in enumerate(column)]


def as_field(value: Any) -> str:
    """Return a value as the text of a field: a string unchanged, any other value as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def shown(value: Any) -> str:
    """Return a value as a message shows it, at most SHOWN characters; a string in quotes."""
    return (repr(value) if isinstance(value, str) else as_field(value))[:SHOWN]
