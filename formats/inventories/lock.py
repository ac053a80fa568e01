"""The lock of an inventory: one process at a time adds names, others wait."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable

from campanula.formats.errors import DataError

FILE = "lock"


class Lock:
    """A lock that is held from construction to `release`, or to the end of the process."""

    def __init__(self, folder: str, waits: Callable[[], None] | None = None) -> None:
        """Take the lock of a folder; `waits` is called before waiting for another process.

        Raises DataError when the folder cannot be locked.
        """
        self._path = os.path.join(folder, FILE)
        try:
            while True:
                self._descriptor = self._open()
                self._lock(waits)
                if self._is_there():
                    return
                os.close(self._descriptor)  # the process that held it has removed the folder
        except OSError as error:
            raise DataError(self._path, None, f"cannot be locked: {error.strerror}") from error

    def _open(self) -> int:
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        os.makedirs(os.path.dirname(self._path), exist_ok=True)
        return os.open(self._path, flags, 0o666)

    def _lock(self, waits: Callable[[], None] | None) -> None:
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if waits is not None:
                waits()
            fcntl.flock(self._descriptor, fcntl.LOCK_EX)

    def _is_there(self) -> bool:
        try:
            return os.path.samestat(os.stat(self._path), os.fstat(self._descriptor))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Release the lock: closing the descriptor does it."""
        os.close(self._descriptor)
