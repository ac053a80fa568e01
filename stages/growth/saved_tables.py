"""Phrase tables after each step of a growth transformation: phrase-table.1.gz, ..."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from campanula.formats.text.numbers import whole_number
from campanula.stages.growth.transform import Channels

NAME = "phrase-table.{}.gz"  # of the file after a step
Write = Callable[[str, Channels], None]
"""Function (name, channels) that writes the table of the channels to the file `name`."""


class SavedTables:
    """Called with the channels after each step; files are numbered from 1."""

    def __init__(self, write: Write, only: frozenset[int] | None = None) -> None:
        self.count = 0
        self._write = write
        self._only = only

    def __call__(self, channels: Channels) -> None:
        """Write the table after the next step, if the step is in `only`."""
        self.count += 1
        if self._only is None or self.count in self._only:
            self._write(NAME.format(self.count), channels)


def numbers(text: str) -> frozenset[int]:
    """Argument type: whole numbers from 1 on, with commas between."""
    steps = [whole_number(word.strip()) for word in text.split(",")]
    if not all(steps):
        problem = f"expected numbers of steps with commas between, found {text}"
        raise argparse.ArgumentTypeError(problem)
    return frozenset(step for step in steps if step)
