"""The losses, declared: each is a function of one list's scores s and costs c.

Most are a difference of two terms, what is pulled up and what is pushed down:

    loss = -up + down,     term = max or lse over some hypotheses of (s + factor * c)

so a row of the table below is all there is to say about a loss.  Concave is the part -up; CCCP
imputes it (the hope) and descends on the convex rest.  Sources: Gimpel & Smith 2012, Eq. 5-13 and
sections 3.3 and 3.4.  The compiled code that evaluates a row is in descent.py.
"""

from __future__ import annotations

from typing import NamedTuple

MAX, LSE = 0, 1  # how a term joins its hypotheses
ALL, REACHING, MIN_COST = 0, 1, 2  # which hypotheses it joins


class Term(NamedTuple):
    """max or lse over some hypotheses of s + factor * c."""

    operator: int
    factor: float
    candidates: int


class Loss(NamedTuple):
    """-up + down of one k-best list."""

    up: Term
    down: Term

    @property
    def needs_references(self) -> bool:
        """Whether it asks which hypotheses reach a reference."""
        return REACHING in (self.up.candidates, self.down.candidates)

    @property
    def smooth(self) -> bool:
        """Whether its gradient is continuous in the scores."""
        hard = [t for t in self if t.operator == MAX and t.candidates != MIN_COST]
        return not hard


HOPE = Term(MAX, -1.0, ALL)
FEAR = Term(MAX, +1.0, ALL)
BEST = Term(MAX, 0.0, ALL)
LEAST_COST = Term(MAX, 0.0, MIN_COST)
SOFT_HOPE, SOFT_FEAR, SOFT_BEST = (term._replace(operator=LSE) for term in (HOPE, FEAR, BEST))

LOSSES: dict[str, Loss] = {
    "ramp1": Loss(BEST, FEAR),  # Eq. 6
    "ramp2": Loss(HOPE, BEST),  # Eq. 7
    "ramp3": Loss(HOPE, FEAR),  # Eq. 8, RAMPION
    "perceptron-kbest": Loss(LEAST_COST, BEST),  # Eq. 10
    "perceptron-gamma": Loss(HOPE, BEST),  # Eq. 11; gamma replaces the hope's factor
    "hinge-kbest": Loss(LEAST_COST, FEAR),  # section 3.3
}


def loss_named(name: str, gamma: float = 1.0) -> Loss:
    """Row of the table; gamma is the cost's factor in perceptron-gamma's hope (Eq. 11)."""
    loss = LOSSES[name]
    return loss._replace(up=loss.up._replace(factor=-gamma)) if name.endswith("-gamma") else loss
