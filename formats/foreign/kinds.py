"""Well-known kinds of files, each with advice for a user who gave one in the wrong place."""

from __future__ import annotations

from typing import NamedTuple

HEAD = 1 << 13
"""Bytes of a file's beginning that are examined."""


class FileKind(NamedTuple):
    """A kind of file: a short name, by which readers accept it, and the texts for a message."""

    name: str
    what: str
    advice: str

    def __str__(self) -> str:
        return f"{self.what}: {self.advice}"
