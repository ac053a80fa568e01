"""When a loop stops before its last iteration, and which of its weights are the best.

    hypotheses    the merged lists have fewer than --new-hypotheses more than before
    metric        dev has not gained for --patience iterations
    weights       no weight has changed by --weights-tolerance or more

A threshold of 0 turns its rule off.  The first two rules are tested after decoding; where one of
them holds, the iteration computes no new weights.  Moses stops by the first and the third, with 1
and 1e-5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from campanula.pipelines.history import Iteration


@dataclass(frozen=True, slots=True)
class Convergence:
    """Thresholds of the rules; higher: whether a higher value of the metric is better."""

    weights_tolerance: float = 0.0
    new_hypotheses: int = 0
    patience: int = 0
    higher: bool = True

    def measured(self, done: Sequence[Iteration], merged: bool) -> str | None:
        """Reason to stop after the last iteration has decoded, before it tunes; None: go on."""
        # lists that are not merged are all of one iteration: their sizes say nothing about new ones
        if merged and self.new_hypotheses and len(done) > 1:
            new = done[-1].hypotheses - done[-2].hypotheses
            if new < self.new_hypotheses:
                limit = f"fewer than {self.new_hypotheses}"
                return f"{new} new hypotheses in the merged lists, {limit}"
        since = len(done) - 1 - best([entry.dev for entry in done], self.higher)
        if self.patience and since >= self.patience:
            return f"dev has not gained for {since} iterations"
        return None

    def tuned(self, before: Mapping[str, float], after: Mapping[str, float]) -> str | None:
        """Reason to stop after an iteration has made new weights; None: go on."""
        # sparse features come and go, and a weight that is not there is 0
        names = {*before, *after}
        change = max((abs(after.get(n, 0.0) - before.get(n, 0.0)) for n in names), default=0.0)
        # `<`, so that the default tolerance of 0 never stops a run
        if change < self.weights_tolerance:
            return f"no weight changed by {self.weights_tolerance:g} or more"
        return None


def best(values: Sequence[float], higher: bool) -> int:
    """Index of the best value; of equal ones the first."""
    return values.index(max(values) if higher else min(values))
