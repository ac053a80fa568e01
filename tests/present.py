"""The value of what may be None, where a test knows that it is there."""

from __future__ import annotations

from typing import TypeVar

Value = TypeVar("Value")


def present(value: Value | None) -> Value:
    """The value; a failure of the test if it is None."""
    assert value is not None
    return value
