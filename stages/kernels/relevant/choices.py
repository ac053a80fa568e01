"""Choose the two hypotheses of a sentence's update, compiled.  Ties go to the first in the set.

With truths V_K, or else the hypothesis of the highest gain, alternatives m, scores s and gains B:

    Table II      s = argmax_k B_k;  t = argmax_m (B_s - B_m) (1 - (s_s - s_m))
    Eq. 7         of each truth k: argmax_m (B_k - B_m) (1 - (s_k - s_m))_+^2       (Eq. 4, 6)
    Table III     s = argmax_m B_m;  t = argmax_m s_m
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.lists.lists import Index
from campanula.stages.kernels.relevant.records import EQUATION_7, PERCEPTRON, Rule, Sets

NOBODY = -1  # no alternative


@njit(**LEAN)
def value_of(rule: Rule, gain: float, margin: float) -> float:
    """Return how much a pair of hypotheses violates, by its differences of gains and of scores."""
    if rule.update == PERCEPTRON:
        return -margin  # largest for the highest score, whatever the gains
    if rule.update == EQUATION_7:
        below = max(0.0, 1.0 - margin)
        return gain * below * below
    return gain * (1.0 - margin)


@njit(**LEAN)
def alternative(sets: Sets, i: Index, truth: Index, score: Floats, rule: Rule) -> int:
    """Return the alternative of sentence i that violates most against a truth, or NOBODY.

    Truth and alternative are places in the set.  If the set has no truths, `truth` is the
    hypothesis of the highest gain.
    """
    first = sets.pointer[i]
    best, top = NOBODY, -np.inf
    # a minus turns the argmax into the argmin that Table II has in print
    sign = -1.0 if rule.printed else 1.0
    # Without truths, `truth` is among the alternatives.  Eq. 5 excludes it; by Tables II and III it
    # may be chosen, and the pair of one hypothesis then makes no step.
    itself = truth if rule.update == EQUATION_7 else NOBODY
    for m in range(sets.truths[i], sets.pointer[i + 1] - first):
        gain = sets.gain[first + truth] - sets.gain[first + m]
        value = sign * value_of(rule, gain, score[truth] - score[m])
        if value > top and m != itself:
            best, top = m, value
    return best
