"""Kinds of files that everybody has, and what is to be done with one in the wrong place."""

from __future__ import annotations

from typing import NamedTuple

HEAD = 1 << 13
"""Bytes of a beginning that are looked at."""


class FileKind(NamedTuple):
    """A kind of file: a short name, which readers of it go by, and the words of a message."""

    name: str
    what: str
    advice: str

    def __str__(self) -> str:
        return f"{self.what}: {self.advice}"
