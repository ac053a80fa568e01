"""Which weights may move, and how far."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import translate

import numpy as np

from campanula.formats.arrays.types import Flags, Floats
from campanula.formats.records.names import Names
from campanula.stages.tuning.misfit import Misfit

Bound = tuple[str, float, float]
"""A pattern of feature names, and the interval for their weights; an infinite end is no bound."""


@dataclass(frozen=True, slots=True)
class Restraints:
    """free (1 or 0), low and high of every feature, (n_features,) each."""

    free: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(
        cls,
        names: Names,
        freeze: Iterable[str] = (),
        only: Sequence[str] = (),
        bounds: Sequence[Bound] = (),
    ) -> Restraints:
        """Return the restraints of the features; patterns are those of a shell (*, ?, [...]).

        freeze: features whose weights stay; only: the only features whose weights move.  Raises
        Misfit for a pattern that matches no feature, an empty interval, or no free weight.
        """
        for setting, patterns in (("only", only), ("freeze", freeze)):
            if isinstance(patterns, str):  # a string would count as a list of its letters
                raise Misfit(f"`{setting}`: expected a list of patterns, found {patterns!r}")
        free = np.full(len(names), 0.0 if only else 1.0)
        for pattern in only:
            free[_matches(names, pattern, "only")] = 1.0
        for pattern in freeze:
            free[_matches(names, pattern, "freeze")] = 0.0
        # one number seen as n_features: without bounds, no memory for tens of millions of features
        low, high = (np.broadcast_to(end, len(names)) for end in (-np.inf, np.inf))
        if bounds:
            low = low.copy()
            high = high.copy()
        for pattern, lowest, highest in bounds:
            places = _matches(names, pattern, "bounds")
            low[places] = lowest
            high[places] = highest
        if not (low <= high).all():  # also for NaN
            rows = [row for row in bounds if not row[1] <= row[2]]
            found = ", ".join(
                f"{pattern} {lowest:g} {highest:g}" for pattern, lowest, highest in rows
            )
            raise Misfit(f"`bounds`: expected LOW at most HIGH, found {found}")
        if not free.any():
            raise Misfit("`freeze` and `only` leave no weight free")
        return cls(free, low, high)

    def keeping(self, kept: Flags) -> Restraints:
        """Return the restraints with only the features marked in kept (n_features,) free."""
        return replace(self, free=self.free * kept)

    def refuse_none_free(self, before: Restraints) -> None:
        """Raise Misfit if nothing is free of what was `before` rare features were held at 0."""
        if before.free.any() and not self.free.any():
            raise Misfit("`min_count` leaves no weight free")


def _matches(names: Names, pattern: str, setting: str) -> Flags:
    """Return the mask (n_features,) of the features whose names match; Misfit if none does."""
    match = re.compile(translate(pattern)).match
    matches = np.fromiter((match(name) is not None for name in names), np.bool_, len(names))
    if not matches.any():
        raise Misfit(f"`{setting}`: no feature matches {pattern!r}")
    return matches
