"""The losses, declared: each is a function of one list's scores s and costs c = alpha (1 - gain).

Most are a difference of two terms, what is pulled up and what is pushed down:

    loss = -up + down,     term = max or lse over some hypotheses of (s + factor * c)

so a row of the table below is all there is to say about a loss.  Concave is the part -up; CCCP
imputes it (the hope) and descends on the convex rest.  Sources: Gimpel & Smith 2012 (G&S), Eq. 3-13
and sections 3.3, 3.4; Wuebker et al. 2015 (W15), Eq. 8-13; Hopkins and May 2011 (PRO).  The
compiled code that evaluates a row is in descent.py.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from campanula.formats.arrays.types import Floats, Ints

MAX, LSE = 0, 1  # how a term joins its hypotheses
ALL, REACHING, MIN_COST = 0, 1, 2  # which hypotheses it joins; reaching: the text is a reference
DIFFERENCE, RISK, EXPECTED_GAIN, PAIRS, CORPUS = 0, 1, 2, 3, 4  # the form of a loss


class Term(NamedTuple):
    """max or lse over some hypotheses of s + factor * c."""

    operator: int
    factor: float
    candidates: int

    @property
    def linear(self) -> bool:
        """Whether it is one score whatever the weights."""
        return self.candidates == MIN_COST


class Targets(NamedTuple):
    """What the losses know of the hypotheses besides their scores.

    cost, gain and reaches (n_hyps,); sampled pairs of list i are pair_pointer[i]:pair_pointer[i+1]
    of better and worse, places that count from the start of the list.
    """

    cost: Floats
    gain: Floats
    reaches: npt.NDArray[np.bool_]
    pair_pointer: Ints
    better: Ints
    worse: Ints


HOPE = Term(MAX, -1.0, ALL)
FEAR = Term(MAX, +1.0, ALL)
BEST = Term(MAX, 0.0, ALL)
LEAST_COST = Term(MAX, 0.0, MIN_COST)
REFERENCE = Term(MAX, 0.0, REACHING)
SOFT_HOPE, SOFT_FEAR, SOFT_BEST, SOFT_REFERENCE = (
    term._replace(operator=LSE) for term in (HOPE, FEAR, BEST, REFERENCE)
)


class Loss(NamedTuple):
    """A loss of one k-best list, by its form; up and down are the terms of a difference."""

    form: int
    up: Term = BEST
    down: Term = BEST

    @property
    def has_terms(self) -> bool:
        """Whether it is a difference of terms."""
        return self.form == DIFFERENCE

    @property
    def needs_references(self) -> bool:
        """Whether it asks which hypotheses reach a reference; it skips lists where none does."""
        return self.has_terms and self.up.candidates == REACHING

    @property
    def convex_part_smooth(self) -> bool:
        """Whether the loss has a continuous gradient once its concave part is imputed."""
        return self.down.operator == LSE if self.has_terms else self.form != CORPUS

    @property
    def smooth(self) -> bool:
        """Whether the loss itself has a continuous gradient."""
        return self.convex_part_smooth and (
            not self.has_terms or self.up.operator == LSE or self.up.linear
        )


def _difference(up: Term, down: Term) -> Loss:
    return Loss(DIFFERENCE, up, down)


LOSSES: dict[str, Loss] = {
    "cost": Loss(CORPUS),  # G&S Eq. 3: the corpus metric of the best outputs; for line search
    "log": _difference(REFERENCE, SOFT_BEST),  # Ex. 2; y* is its best-scoring derivation
    "bayes-risk": Loss(RISK),  # Eq. 5: sum_j p_j c_j, p = softmax s
    "ramp1": _difference(BEST, FEAR),  # Eq. 6
    "ramp2": _difference(HOPE, BEST),  # Eq. 7
    "ramp3": _difference(HOPE, FEAR),  # Eq. 8, RAMPION
    "perceptron": _difference(REFERENCE, BEST),  # Eq. 9, 12
    "perceptron-kbest": _difference(LEAST_COST, BEST),  # Eq. 10
    "perceptron-gamma": _difference(HOPE, BEST),  # Eq. 11; gamma replaces the hope's factor
    "hinge": _difference(REFERENCE, FEAR),  # Eq. 13, poster
    "hinge-kbest": _difference(LEAST_COST, FEAR),  # section 3.3
    "soft-ramp1": _difference(SOFT_BEST, SOFT_FEAR),  # section 3.4: the Jensen risk bound
    "soft-ramp2": _difference(SOFT_HOPE, SOFT_BEST),  # section 3.4
    "soft-ramp3": _difference(SOFT_HOPE, SOFT_FEAR),  # section 3.4
    "log-kbest": _difference(HOPE, SOFT_BEST),  # section 3.4, poster
    "latent-log": _difference(SOFT_REFERENCE, SOFT_BEST),  # section 3.4
    "expected-bleu": Loss(EXPECTED_GAIN),  # W15 Eq. 8-13: -log mean_i sum_j p_ij gain_ij
    "pairwise": Loss(PAIRS),  # PRO: sum over sampled pairs of log(1 + e^-(s_better - s_worse))
}


def loss_named(name: str, gamma: float = 1.0) -> Loss:
    """Row of the table; gamma is the cost's factor in perceptron-gamma's hope (Eq. 11)."""
    loss = LOSSES[name]
    return loss._replace(up=loss.up._replace(factor=-gamma)) if name.endswith("-gamma") else loss
