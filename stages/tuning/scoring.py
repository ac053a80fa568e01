"""Model scores of a k-best list, theta . f of every hypothesis, to the last bit those of tuning."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.errors import DataError
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.stages.tuning.packing import one_list


def score(kbest: KBest, theta: Floats) -> Floats:
    """Return scores (n_hyps,) under theta (n_features,), which is indexed by ids of kbest.names."""
    return score_features(kbest.features, theta)


def score_features(features: Features, theta: Floats) -> Floats:
    """Return scores (n_hyps,) of the hypotheses of one list under theta (n_features,)."""
    from campanula.stages.kernels.lists import scores

    return scores.score_lists(one_list(features), theta)


def finite_scores(kbest: KBest, theta: Floats, source: str) -> Floats:
    """Return scores (n_hyps,) under theta (n_features,).

    Raises DataError, with `source` as the place, for a score that is not finite.
    """
    scores = score(kbest, theta)
    ends = np.array([0, len(kbest)])
    refuse_infinite(scores, ends, np.array([kbest.sid]), source, "the weights")
    return scores


def refuse_infinite(score: Floats, list_pointer: Ints, sid: Ints, source: str, whose: str) -> None:
    """Raise DataError for the first score (n_hyps,) of lists that is not finite; sid (n_lists,).

    whose: words for the weights of the scores, as "the new weights".
    """
    bad = np.flatnonzero(~np.isfinite(score))
    if len(bad):
        i = int(np.searchsorted(list_pointer, bad[0], "right")) - 1
        place = f"hypothesis {bad[0] - list_pointer[i]}"
        problem = f"expected a finite score of {place} under {whose}, found {score[bad[0]]}"
        raise DataError(source, f"sentence {sid[i]}", f"{problem}: numbers too large")
