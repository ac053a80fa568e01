"""The lock of an inventory: one process at a time adds to it, another waits."""

from __future__ import annotations

import fcntl
import os

from campanula.formats.errors import DataError

FILE = "lock"


class Lock:
    """Held from its making on until it is released, or the process ends however it does."""

    def __init__(self, folder: str) -> None:
        """Wait for the lock of a folder; raises DataError when there can be none."""
        self._path = os.path.join(folder, FILE)
        try:
            while True:
                self._descriptor = self._open()
                fcntl.flock(self._descriptor, fcntl.LOCK_EX)
                if self._is_there():
                    return
                os.close(self._descriptor)  # whoever held it has removed the folder
        except OSError as error:
            raise DataError(self._path, None, f"cannot be locked: {error.strerror}") from error

    def _open(self) -> int:
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        os.makedirs(os.path.dirname(self._path), exist_ok=True)
        return os.open(self._path, flags, 0o666)

    def _is_there(self) -> bool:
        try:
            return os.path.samestat(os.stat(self._path), os.fstat(self._descriptor))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Let another process go on."""
        os.close(self._descriptor)
