"""Disks that fail: the n-th write, close, flush, rename or change of size ends in an error.

    with Faults(3, errno.ENOSPC) as faults:
        run()
    faults.fired      whether there were so many

A write is one to the system, as it comes out of Python's buffers.
"""

from __future__ import annotations

import builtins
import io
import os
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

WRITING = set("wxa+")


class Faults:
    """Failures of this process while the context lasts; `only` says of which paths, or of all."""

    def __init__(self, number: int, error: int, only: str = "/") -> None:
        self.fired = False
        self._left = number
        self._error = error
        self._only = only
        self._open = builtins.open
        self._patches = [
            patch.object(builtins, "open", self._opened),
            patch.object(os, "fsync", self._failing(os.fsync)),
            patch.object(os, "replace", self._failing(os.replace)),
            patch.object(os, "rename", self._failing(os.rename)),
            patch.object(os, "ftruncate", self._failing(os.ftruncate)),
            patch.object(os, "posix_fallocate", self._failing(os.posix_fallocate)),
        ]

    def __enter__(self) -> Faults:
        for each in self._patches:
            each.start()
        return self

    def __exit__(self, *failure: object) -> None:
        for each in self._patches:
            each.stop()

    def count(self, path: str) -> None:
        """Count an operation, and raise where it is the one that fails."""
        if not path.startswith(self._only):
            return
        self._left -= 1
        if self._left == 0:
            self.fired = True
            raise OSError(self._error, os.strerror(self._error))

    def _failing(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        def failing(first: Any, *rest: Any, **named: Any) -> Any:
            self.count(_path_of(first))
            return plain(first, *rest, **named)

        return failing

    def _opened(self, file: Any, mode: str = "r", *rest: Any, **named: Any) -> Any:
        if not WRITING & set(mode) or "+" in mode:
            return self._open(file, mode, *rest, **named)
        raw = _Raw(self, file, mode.replace("b", "").replace("t", ""), named.get("closefd", True))
        buffered = io.BufferedWriter(raw)
        if "b" in mode:
            return buffered
        return io.TextIOWrapper(buffered, encoding=named.get("encoding", "utf-8"))


class _Raw(io.FileIO):
    """A file whose writes, and whose end, may fail."""

    def __init__(self, faults: Faults, file: Any, mode: str, closefd: bool) -> None:
        super().__init__(file, mode, closefd)
        self._faults = faults
        self._path = _path_of(self.fileno())

    def write(self, data: Any) -> int:
        self._faults.count(self._path)
        return super().write(data)

    def close(self) -> None:
        was_open = not self.closed
        super().close()
        if was_open:
            self._faults.count(self._path)


def _path_of(file: Any) -> str:
    if isinstance(file, int):
        return os.readlink(f"/proc/self/fd/{file}")
    return os.path.abspath(os.fsdecode(file))
