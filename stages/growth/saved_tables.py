"""Tables after steps of a growth transformation, a file each: phrase-table.1.gz, ..."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from campanula.formats.text.numbers import whole_number
from campanula.stages.growth.transform import Channels

NAME = "phrase-table.{}.gz"  # of the file after a step
Write = Callable[[str, Channels], None]
"""Writes a table of channels to a file of a folder."""


class SavedTables:
    """Called with the channels after each step; files are numbered from 1."""

    def __init__(self, write: Write, only: frozenset[int] | None = None) -> None:
        self.count = 0
        self._write, self._only = write, only

    def __call__(self, channels: Channels) -> None:
        """Write the next table, if it is asked for."""
        self.count += 1
        if self._only is None or self.count in self._only:
            self._write(NAME.format(self.count), channels)


def numbers(text: str) -> frozenset[int]:
    """Argument type: whole numbers from 1 on, with commas between."""
    found = [whole_number(part.strip()) for part in text.split(",")]
    if not all(found):
        problem = f"expected numbers of steps with commas between, found {text}"
        raise argparse.ArgumentTypeError(problem)
    return frozenset(number for number in found if number)
