"""Model scores of a k-best list: theta . f of every hypothesis, added up as in all of tuning."""

from __future__ import annotations

from campanula.formats.arrays.types import Floats
from campanula.formats.records.kbest import KBest
from campanula.stages.tuning.packing import one_list


def score(kbest: KBest, theta: Floats) -> Floats:
    """Scores (n_hyps,) of a list under theta (n_features,), indexed by the ids of kbest.names."""
    from campanula.stages.kernels.lists import scores

    return scores.score_lists(one_list(kbest.features), theta)
