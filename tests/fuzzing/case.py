"""A fuzzed input: its files, the command that gets it, and what must hold when it succeeds."""

from __future__ import annotations

import random
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

Check: TypeAlias = Callable[[Path], None]
"""Raises Loss when the outputs in a folder do not hold what the inputs held."""


class Loss(AssertionError):
    """A command succeeded, and its output is not what an independent reading expects."""


@dataclass
class Case:
    """Files by name, a command with its words, and the check of its outputs.

    The command writes to the file `out`, which must not be there unless it succeeds; `accepted`
    says that it did.
    """

    kind: str
    files: dict[str, bytes]
    command: str
    words: list[str]
    check: Check | None = None
    accepted: bool = False

    @property
    def argv(self) -> list[str]:
        """The words with the output's flag."""
        return [*self.words, "-o", "out"]

    def line(self) -> str:
        """The command line, as a shell takes it."""
        return shlex.join(["campanula", self.command, *self.argv])


def seeded(seed: int, number: int) -> random.Random:
    """The generator of one case: the same for the same seed and number, whatever came before."""
    return random.Random(f"{seed}/{number}")


def expect(found: object, expected: object, what: str) -> None:
    """Raise Loss unless both are equal."""
    if found != expected:
        raise Loss(f"{what}: expected {expected!r:.300}, found {found!r:.300}")
