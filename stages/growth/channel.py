r"""A phrase channel, p(f|e) or p(e|f), and its growth transformation (He and Deng 2012).

With phi_ij the probability of row j under condition i, phi0 where it started, lambda its weight and
gamma_ij the sum of lambda p(E) (beta(E) - <beta>_n) #_ij(E) over all hypotheses,

    phi_ij <- (gamma_ij + U tau phi0_ij + D_i phi_ij) / (the same, summed over j)
    D_i     = the sum of the negative parts of gamma_ij, as a positive number

Rows that never fire have no gamma, so the rows of a condition that never fire stay proportional to
phi0, and one factor, `scale`, stands for all of them.  Memory grows with the rows that fire, not
with the rows that are renormalised.

Where a step would take a probability below a tenth of itself, D_i is raised until it does not.
Probabilities below e^-99 are exempt: to decoders they are all the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from campanula.formats.arrays.types import Floats, Ids
from campanula.formats.errors import DataError
from campanula.stages.growth.phrase_rows import FLOOR, PhraseRows

LEAST = 0.1  # share of a probability that is left after a step at least
EXCESS = 1e-3  # by which the sum of rounded probabilities may exceed one


@dataclass(frozen=True, slots=True)
class PassCounts:
    """The result of a pass over the lists: expected gains, and counts of the rows that fire.

    gain: U, the sum of the lists' expected gains.  raised, lowered (n_fired,): sums of the positive
    and of the negative parts of p(E) (beta(E) - <beta>_n) #_ij(E), both as positive numbers.
    """

    gain: float
    raised: Floats
    lowered: Floats


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel; arrays for the rows that fire are (n_fired,).

    weight: lambda.  number (n_conditions,): the table's numbers of conditions of rows that fire.
    condition (n_fired,): places in `number`.  first (n_fired,): logarithms of the table's scores.
    start, own (n_fired,): phi0 and phi.  rest (n_conditions,): phi0 of all rows that never fire,
    summed.  scale (n_conditions,): their factor now.  norm: divisors of the scores by the table's
    numbers of conditions.
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
        """Return channel `side`, 0 or 1, of a table at the start; norm: the result of norm_of."""
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
        """Return sums (n_conditions,) of values (n_fired,) by condition."""
        return summed(self.condition, values, len(self.number))

    def change(self) -> Floats:
        """Return what is added to a score each time that a row fires, (n_fired,).

        It is lambda times the change of the logarithm since the table's own score.
        """
        return self.weight * (np.log(self.own) - self.first)

    def divergence(self) -> float:
        """Return KL(phi0 || phi), summed over all conditions."""
        fired = self.start * (np.log(self.start) - np.log(self.own))
        return float(fired.sum() - (self.rest * np.log(self.scale)).sum())

    def sums(self) -> Floats:
        """Return the sums (n_conditions,) of probabilities, of filtered rows, too: one each."""
        return self.by_condition(self.own) + self.rest * self.scale

    def moved(self, counts: PassCounts, tau: float, times: float) -> Channel:
        """Return the channel after a step; times: factor, at least 1, by which D is enlarged."""
        gamma = self.weight * (counts.raised - counts.lowered)
        # a negative weight turns the counts round: then it is the raised ones that lower gamma
        below = abs(self.weight) * (counts.lowered if self.weight > 0.0 else counts.raised)
        pull = counts.gain * tau
        D = np.maximum(self.by_condition(below), self._needed(gamma, pull))
        # a D of 0 would stay 0 when it is doubled, so it grows from the sum beside it
        D = np.where(D > 0.0, D * times, (times - 1.0) * (self.by_condition(gamma) + pull))
        own = gamma + pull * self.start + D[self.condition] * self.own
        rest = pull + D * self.scale
        total = self.by_condition(own) + self.rest * rest
        moves = total > 0.0  # other conditions have no counts at all
        total[~moves] = 1.0
        own = np.where(moves[self.condition], own / total[self.condition], self.own)
        scale = np.where(moves & (self.rest > 0.0), rest / total, self.scale)
        # never 0: logarithms of both are taken
        return replace(self, own=np.maximum(own, FLOOR), scale=np.maximum(scale, FLOOR))

    def _needed(self, gamma: Floats, pull: float) -> Floats:
        """Return the least D (n_conditions,) that leaves a tenth of every probability."""
        # from (gamma_ij + pull phi0_ij + D phi_ij) >= LEAST phi_ij total, total = sum_j gamma_ij +
        # pull + D, solved for D; phi and phi0 of a condition sum to 1
        least = LEAST * (self.by_condition(gamma) + pull)
        asked = least[self.condition] - (gamma + pull * self.start) / self.own
        asked[self.own <= FLOOR / LEAST] = 0.0
        needed = np.where(self.rest > 0.0, least - pull / self.scale, 0.0)
        np.maximum.at(needed, self.condition, asked)
        return np.maximum(needed, 0.0) / (1.0 - LEAST)

    def factor(self) -> Floats:
        """Return the factor of the scores of rows that never fire, by the table's conditions."""
        factor = 1.0 / self.norm
        factor[self.number] *= self.scale
        return factor


def norm_of(rows: PhraseRows, side: int, filtered: bool, source: str) -> Floats:
    """Return the divisors (n_conditions,) that make scores probabilities.

    The divisor of a condition is the sum of its scores.  For a table that was `filtered` it is 1:
    the rows that were left out have what the sum lacks.  Raises DataError, with `source` as the
    table, for a sum that is not finite, and for one above 1 (beyond rounding) if `filtered`.
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
    """Return the probability (n_conditions,) of rows that never fire, filtered rows included."""
    in_table = rows.rest[side] / norm
    # a norm of 1 is that of a filtered table: what lacks to 1 was in rows that the filter took away
    left_out = 1.0 - (rows.rest[side] + _fired_of(rows, side)) / norm
    return in_table + np.where(norm == 1.0, np.maximum(left_out, 0.0), 0.0)


def _fired_of(rows: PhraseRows, side: int) -> Floats:
    condition = rows.condition[side][rows.fired]
    return summed(condition, rows.probability[side], len(rows.rest[side]))


def summed(place: Ids, values: Floats, size: int) -> Floats:
    """Return sums (size,) of values (n,) by their places (n,)."""
    return np.asarray(np.bincount(place, values, size), np.float64)
