"""One stream's records in memory, for a process that reads the same file over and over.

    with shelf.holding(path):
        ...  # the first Reader of the file reads it; later ones find its records here

A pipeline that runs its stages in one process holds the lists that twenty of them read in turn.  A
Reader gives the same from the shelf as from the file, record by record, new feature names included.
A file that has changed since, or is larger than LIMIT, is read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

LIMIT = 1 << 28  # bytes of a file; its records take up to twice as much

State = tuple[str, int, int, int]


@dataclass(slots=True)
class Kept:
    """A file's header, and its records with the names that were new in each."""

    state: State
    kind: type[Any]
    signature: str
    metric: dict[str, Any] | None
    checksum: str = ""
    records: list[tuple[list[str], Any]] = field(default_factory=list)


_held: str | None = None
_kept: Kept | None = None


@contextmanager
def holding(path: str) -> Iterator[None]:
    """Hold the records of one file while the context lasts."""
    global _held, _kept
    _held, before = os.path.realpath(path), _held
    try:
        yield
    finally:
        _held, _kept = before, None


def find(path: str, kinds: tuple[type[Any], ...]) -> Kept | None:
    """What is held of an unchanged file, as one of these kinds."""
    if _kept is None or _kept.kind not in kinds or _kept.state != _state(path):
        return None
    return _kept


def start(path: str, kind: type[Any], signature: str, metric: dict[str, Any] | None) -> Kept | None:
    """A place for the records of a file that is to be held, to be filled and put."""
    if _held is None or path == "-" or os.path.realpath(path) != _held:
        return None
    state = _state(path)
    return Kept(state, kind, signature, metric) if state is not None and state[2] <= LIMIT else None


def put(kept: Kept) -> None:
    """Hold records that were read to the end."""
    global _kept
    _kept = kept


def _state(path: str) -> State | None:
    """What tells an unchanged file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return os.path.realpath(path), status.st_ino, status.st_size, status.st_mtime_ns
