r"""A phrase channel, p(f|e) or p(e|f), and its growth transformation (He and Deng 2012).

With phi_ij the probability of row j under condition i, phi0 where it started, lambda its weight and
gamma_ij the sum of lambda p(E) (beta(E) - <beta>_n) #_ij(E) over all hypotheses,

    phi_ij <- (gamma_ij + U tau phi0_ij + D_i phi_ij) / (the same, summed over j)
    D_i     = the sum of what in gamma_ij is below 0, its sign turned

Rows that never fire have no gamma, so that those of a condition stay proportional to phi0: all of
them are one factor, `scale`.  So what is held is as much as fires, not as much as is renormalised.

Where that would take a probability below a tenth of itself, or below 0, D_i is raised until it does
not.  That is left out for what is below e^-99 already: decoders tell such numbers from no other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from campanula.formats.arrays.types import Floats, Ids
from campanula.formats.errors import DataError
from campanula.stages.growth.phrase_rows import FLOOR, PhraseRows

LEAST = 0.1  # of a probability is left after a step
EXCESS = 1e-3  # by which a sum of rounded probabilities may be more than one


@dataclass(frozen=True, slots=True)
class PassCounts:
    """What a pass over the lists comes to: expected gains and counts of the rows that fire.

    gain: U, the sum of the lists' expected gains; raised, lowered (n_fired,): kernels/shards/growth
    """

    gain: float
    raised: Floats
    lowered: Floats


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel; everything of the rows that fire is (n_fired,).

    weight: lambda; number: the table's numbers (n_conditions,) of conditions of which a row fires,
    and `condition` places among these; first: logarithms of the table's own scores; start, own:
    phi0 and phi; rest, scale: of each condition, phi0 of all that never fires, and the factor that
    it has come to; norm: by the table's numbers, what its scores are divided by.
    """

    weight: float
    number: Ids
    condition: Ids
    first: Floats
    start: Floats
    own: Floats
    rest: Floats
    scale: Floats
    norm: Floats

    @classmethod
    def of(cls, rows: PhraseRows, side: int, weight: float, norm: Floats) -> Channel:
        """Side 0 or 1 of a table, as it starts; norm: what norm_of gives."""
        probability = rows.probability[side]
        number, condition = np.unique(rows.condition[side][rows.fired], return_inverse=True)
        start = probability / norm[number][condition]
        rest = _rest_of(rows, side, norm)[number]
        return cls(
            weight,
            number.astype(np.int32),
            condition.reshape(-1).astype(np.int32),
            np.log(probability),
            start,
            start,
            rest,
            np.ones(len(number)),
            norm,
        )

    def by_condition(self, values: Floats) -> Floats:
        """Sums of what rows have (n_fired,), by condition."""
        return summed(self.condition, values, len(self.number))

    def change(self) -> Floats:
        """What scores get for each time that a row fires (n_fired,), above the table's own."""
        return self.weight * (np.log(self.own) - self.first)

    def divergence(self) -> float:
        """KL(phi0 || phi), the sum over all conditions."""
        fired = self.start * (np.log(self.start) - np.log(self.own))
        return float(fired.sum() - (self.rest * np.log(self.scale)).sum())

    def sums(self) -> Floats:
        """Sums of each condition's probabilities, of the rows that there are or were."""
        return self.by_condition(self.own) + self.rest * self.scale

    def moved(self, counts: PassCounts, tau: float, times: float) -> Channel:
        """The channel after a step; times: how much larger D is than it has to be."""
        gamma = self.weight * (counts.raised - counts.lowered)
        below = abs(self.weight) * (counts.lowered if self.weight > 0.0 else counts.raised)
        pull = counts.gain * tau
        D = np.maximum(self.by_condition(below), self._needed(gamma, pull))
        # 0 would stay 0, however often it is doubled
        D = np.where(D > 0.0, D * times, (times - 1.0) * (self.by_condition(gamma) + pull))
        own = gamma + pull * self.start + D[self.condition] * self.own
        rest = pull + D * self.scale
        total = self.by_condition(own) + self.rest * rest
        moves = total > 0.0  # nothing has touched the others
        total[~moves] = 1.0
        own = np.where(moves[self.condition], own / total[self.condition], self.own)
        scale = np.where(moves & (self.rest > 0.0), rest / total, self.scale)
        return replace(self, own=np.maximum(own, FLOOR), scale=np.maximum(scale, FLOOR))

    def _needed(self, gamma: Floats, pull: float) -> Floats:
        """The least D of each condition that leaves a tenth of every probability."""
        least = LEAST * (self.by_condition(gamma) + pull)
        asked = least[self.condition] - (gamma + pull * self.start) / self.own
        asked[self.own <= FLOOR / LEAST] = 0.0
        needed = np.where(self.rest > 0.0, least - pull / self.scale, 0.0)
        np.maximum.at(needed, self.condition, asked)
        return np.maximum(needed, 0.0) / (1.0 - LEAST)

    def factor(self) -> Floats:
        """By the table's numbers of conditions, what a row's score is multiplied by."""
        factor = 1.0 / self.norm
        factor[self.number] *= self.scale
        return factor


def norm_of(rows: PhraseRows, side: int, filtered: bool, source: str) -> Floats:
    """What the scores of each condition (n_conditions,) are divided by, to be probabilities.

    Their sum; of a table that was `filtered` 1, where they are no more than that.  Raises DataError
    for a sum above 1 then, and for one that no number holds; `source` is the table.
    """
    total = rows.rest[side] + _fired_of(rows, side)
    if not np.isfinite(total).all():
        problem = "expected probabilities whose sum is a number under each condition"
        raise DataError(source, None, f"{problem}, found inf")
    if not filtered:
        return total
    if total.max() > 1.0 + EXCESS:
        problem = "expected probabilities that sum to at most 1 under each condition"
        raise DataError(source, None, f"{problem}, found {total.max():.6g} (not with --filtered)")
    return np.maximum(total, 1.0)


def _rest_of(rows: PhraseRows, side: int, norm: Floats) -> Floats:
    """Probability (n_conditions,) of all that never fires, in the table or filtered out of it."""
    there = rows.rest[side] / norm
    left_out = 1.0 - (rows.rest[side] + _fired_of(rows, side)) / norm
    return there + np.where(norm == 1.0, np.maximum(left_out, 0.0), 0.0)


def _fired_of(rows: PhraseRows, side: int) -> Floats:
    condition = rows.condition[side][rows.fired]
    return summed(condition, rows.probability[side], len(rows.rest[side]))


def summed(place: Ids, values: Floats, size: int) -> Floats:
    """Sums (size,) of values (n,) by their places (n,)."""
    return np.asarray(np.bincount(place, values, size), np.float64)
