"""Weights after every iteration, a file each: DIR/theta.1, DIR/theta.2, ..."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable

from campanula.formats.arrays.types import Floats
from campanula.formats.atomic import output_folder
from campanula.formats.files import Output
from campanula.stages.command import UsageError

NAME = "theta.{}"  # file of the weights after iteration {}
Write = Callable[[str, Floats], None]
"""Writes weights theta (n_features,) to a path."""


class Saving:
    """Writes a file each time it is called, after each iteration; files are numbered from 1."""

    def __init__(self, folder: str, write: Write) -> None:
        """Make the folder; raises DataError if that is impossible."""
        self.count = 0
        self._folder = folder
        self._write = write
        output_folder(folder)

    def __call__(self, theta: Floats) -> None:
        """Write theta (n_features,) to the next file; raises DataError if that is impossible."""
        self.count += 1
        self._write(os.path.join(self._folder, NAME.format(self.count)), theta)


def refuse_saved(folder: str | None, name: str, outputs: Iterable[str | None]) -> None:
    """Raise UsageError for an output that --save-each would overwrite with one of its files.

    folder: where --save-each writes, None if it does not; name: its files' name, with {} for the
    number.  Raises DataError if the folder has a folder of such a name.
    """
    if folder is None:
        return
    numbered = re.compile(re.escape(name).replace(r"\{\}", "[0-9]+"))
    for file in filter(numbered.fullmatch, os.listdir(folder) if os.path.isdir(folder) else ()):
        Output.check(os.path.join(folder, file))
    for output in outputs:
        around, base = os.path.split(os.path.realpath(output or ""))
        if around == os.path.realpath(folder) and numbered.fullmatch(base):
            problem = f"--save-each writes {output} itself"
            raise UsageError(f"{problem}: give another path to what is to be written there")
