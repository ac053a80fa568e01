"""Weights after every iteration, a file each: DIR/theta.1, DIR/theta.2, ..."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable

from campanula.formats.arrays.types import Floats
from campanula.formats.atomic import make_folder, reporting

Write = Callable[[str, Floats], None]
"""Writes weights theta (n_features,) to a path."""


class Saving:
    """Called with theta after each iteration; the files are numbered from 1."""

    def __init__(self, folder: str, write: Write) -> None:
        """Make the folder; raises DataError when it cannot be made."""
        self.count = 0
        self._folder = folder
        self._write = write
        with reporting(folder):
            make_folder(folder)
            if not os.path.isdir(folder):
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))

    def __call__(self, theta: Floats) -> None:
        """Write the next file; raises DataError when it cannot be written."""
        self.count += 1
        self._write(os.path.join(self._folder, f"theta.{self.count}"), theta)
