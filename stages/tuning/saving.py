"""Weights after every iteration, a file each: DIR/theta.1, DIR/theta.2, ..."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable

from campanula.formats.arrays.types import Floats
from campanula.formats.atomic import output_folder
from campanula.formats.files import Output
from campanula.stages.command import UsageError

NAME = "theta.{}"  # of the file after an iteration
Write = Callable[[str, Floats], None]
"""Writes weights theta (n_features,) to a path."""


class Saving:
    """Called with theta after each iteration; the files are numbered from 1."""

    def __init__(self, folder: str, write: Write) -> None:
        """Make the folder; raises DataError when it cannot be made."""
        self.count = 0
        self._folder = folder
        self._write = write
        output_folder(folder)

    def __call__(self, theta: Floats) -> None:
        """Write the next file; raises DataError when it cannot be written."""
        self.count += 1
        self._write(os.path.join(self._folder, NAME.format(self.count)), theta)


def refuse_saved(folder: str | None, name: str, outputs: Iterable[str | None]) -> None:
    """Raise UsageError for an output that is one of the files of a folder, whose names are alike.

    name: theirs, with {} for the number.  Raises DataError for a folder in the place of one.
    """
    if folder is None:
        return
    numbered = re.compile(re.escape(name).replace(r"\{\}", "[0-9]+"))
    for file in filter(numbered.fullmatch, os.listdir(folder) if os.path.isdir(folder) else ()):
        Output.check(os.path.join(folder, file))
    for output in outputs:
        around, base = os.path.split(os.path.realpath(output or ""))
        if around == os.path.realpath(folder) and numbered.fullmatch(base):
            raise UsageError(f"--save-each writes {output}: expected another place of this output")
