"""Model scores of k-best lists: theta . f of every hypothesis, by the one kernel all stages use."""

from __future__ import annotations

from campanula.formats.arrays.types import Floats
from campanula.formats.records.kbest import KBest
from campanula.stages.tuning.packing import join


def score(kbest: KBest, theta: Floats) -> Floats:
    """Scores (n_hyps,) of a list under theta (n_features,), indexed by the ids of kbest.names."""
    from campanula.stages.kernels.lists import scores

    return scores.score_lists(join([kbest.features]), theta)
