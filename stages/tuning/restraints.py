"""Which weights may move, and how far: --freeze, --only, --bounds, --center."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.formats.records.names import Names
from campanula.stages import command


@dataclass(frozen=True, slots=True)
class Restraints:
    """free (1 or 0), low and high of every feature, (n_features,) each."""

    free: Floats
    low: Floats
    high: Floats

    @property
    def bounded(self) -> bool:
        """Whether any weight has a bound."""
        return bool(np.isfinite(self.low).any() or np.isfinite(self.high).any())

    @classmethod
    def of(cls, names: Names, args: argparse.Namespace) -> Restraints:
        """Restraints of the flags; raises UsageError for a pattern that matches no feature."""
        free = np.full(len(names), 0.0 if args.only else 1.0)
        for pattern in args.only or []:
            free[_matches(names, pattern, "--only")] = 1.0
        for pattern in args.freeze or []:
            free[_matches(names, pattern, "--freeze")] = 0.0
        low, high = np.full(len(names), -np.inf), np.full(len(names), np.inf)
        for pattern, lowest, highest in args.bounds or []:
            places = _matches(names, pattern, "--bounds")
            low[places], high[places] = _bound(lowest), _bound(highest)
        if (low > high).any():
            raise command.UsageError("--bounds: expected LOW at most HIGH")
        if not free.any():
            raise command.UsageError("--freeze and --only leave no weight free")
        return cls(free, low, high)


def add_flags(p: argparse.ArgumentParser) -> None:
    """Flags that restrain weights; patterns are those of a shell (*, ?, [...])."""
    for flag, moves in (("--freeze", "stay as they are"), ("--only", "alone may move")):
        what = f"features whose weights {moves}; repeatable"
        p.add_argument(flag, action="append", metavar="PATTERN", help=what)
    p.add_argument(
        "--bounds",
        action="append",
        nargs=3,
        metavar=("PATTERN", "LOW", "HIGH"),
        help="interval of these features' weights; inf and -inf are open",
    )


def _matches(names: Names, pattern: str, flag: str) -> list[int]:
    places = [i for i, name in enumerate(names) if fnmatchcase(name, pattern)]
    if not places:
        raise command.UsageError(f"{flag}: no feature matches {pattern!r}")
    return places


def _bound(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if np.isnan(value):
        raise command.UsageError(f"--bounds: expected a number, found {text!r}")
    return value
