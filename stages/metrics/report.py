"""A corpus value as it is printed."""

from __future__ import annotations

from typing import NamedTuple


class Report(NamedTuple):
    """A corpus value as sacrebleu prints one: `NAME|SIGNATURE = VALUE DETAIL`.

    signature: its parts.  shown: the value as text.
    """

    name: str
    signature: tuple[str, ...]
    value: float
    shown: str
    detail: str = ""

    @property
    def line(self) -> str:
        """The whole report in one line."""
        words = ["|".join([self.name, *self.signature]), "=", self.shown, self.detail]
        return " ".join(word for word in words if word)
