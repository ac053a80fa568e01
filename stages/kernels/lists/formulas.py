"""Losses as the kernels take them: the formula's form, and costs and gains of the hypotheses.

Most losses are a difference of two terms, one pulled up and one pushed down:

    loss = -up + down,     term = max or lse over some hypotheses of (s + factor * c)

tuning/losses.py has the table of all losses; the code that evaluates a formula is compiled, in
list_losses.py.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ints

MAX, LSE = range(2)  # how a term joins its hypotheses
ALL, REACHING, MIN_COST = range(3)  # which hypotheses a term joins; reaching: text is a reference
# The form of a loss; COSTMARGIN and SET_PERCEPTRON are of relevant sets (kernels/relevant).
DIFFERENCE, RISK, EXPECTED_GAIN, PAIRS, CORPUS, OWN = range(6)
COSTMARGIN, SET_PERCEPTRON, SQUARED_GAIN = range(6, 9)


class Term(NamedTuple):
    """max or lse over some hypotheses of s + factor * c.

    operator: MAX or LSE; candidates: ALL, REACHING or MIN_COST.
    """

    operator: int
    factor: float
    candidates: int

    @property
    def linear(self) -> bool:
        """Whether the term is one hypothesis's score, the same one under all weights."""
        return self.candidates == MIN_COST


class Formula(NamedTuple):
    """The formula of a loss, by its form; up and down are the terms of a difference."""

    form: int
    up: Term = Term(MAX, 0.0, ALL)
    down: Term = Term(MAX, 0.0, ALL)


class Targets(NamedTuple):
    """Costs, gains and sampled pairs of the hypotheses, from which losses are computed.

    cost, gain and reaches (n_hyps,); sampled pairs of list i are pair_pointer[i]:pair_pointer[i+1]
    of better and worse, places that count from the start of the list.
    """

    cost: Floats
    gain: Floats
    reaches: Flags
    pair_pointer: Ints
    better: Ints
    worse: Ints

    @classmethod
    def of(cls, gain: Floats, reaches: Flags, alpha: float, n_lists: int) -> Targets:
        """Return targets with costs alpha (1 - gain) and no sampled pairs."""
        none = np.zeros(0, np.int64)
        return cls(alpha * (1.0 - gain), gain, reaches, np.zeros(n_lists + 1, np.int64), none, none)
