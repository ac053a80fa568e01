"""A corpus value as it is printed."""

from __future__ import annotations

from typing import NamedTuple


class Report(NamedTuple):
    """`NAME|SIGNATURE = VALUE DETAIL`, as sacrebleu prints a corpus value.

    `shown` is the value as text; signature are its parts.
    """

    name: str
    signature: tuple[str, ...]
    value: float
    shown: str
    detail: str = ""

    @property
    def line(self) -> str:
        """All of it in one line."""
        words = ["|".join([self.name, *self.signature]), "=", self.shown, self.detail]
        return " ".join(word for word in words if word)
