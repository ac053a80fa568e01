"""What weights choose in a scored list, what RAMPION pulls up and pushes down, what a feature does.

    best    argmax s
    hope    argmax s - c        c = alpha (1 - gain)        (G&S 2012, Eq. 8)
    fear    argmax s + c

Of equal ones the first counts.  A feature decides a list where the best hypothesis is another one
when its weight is 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Flags, Floats
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.stages.tuning.losses import ALPHA
from campanula.stages.tuning.scoring import score


class ListChoices(NamedTuple):
    """Places of best, hope and fear, and which dense features (n_dense,) decide the list."""

    best: int
    hope: int
    fear: int
    decided_by: Flags


def choices(kbest: KBest, weights: Mapping[str, float], alpha: float = ALPHA) -> ListChoices:
    """The choices of a list with gains; a feature without a weight has 0."""
    assert kbest.gain is not None
    theta = np.array([weights.get(name, 0.0) for name in _all(kbest.names)], np.float64)
    scores, cost = score(kbest, theta), alpha * (1.0 - kbest.gain)
    best = int(np.argmax(scores))
    decided = [_best_without(kbest, theta, int(i)) != best for i in kbest.features.dense_id]
    return ListChoices(
        best,
        int(np.argmax(scores - cost)),
        int(np.argmax(scores + cost)),
        np.array(decided, np.bool_),
    )


def _best_without(kbest: KBest, theta: Floats, feature: int) -> int:
    """The best hypothesis when a feature has no weight, added up as `rerank` does it."""
    if theta[feature] == 0.0:
        return int(np.argmax(score(kbest, theta)))
    without = theta.copy()
    without[feature] = 0.0
    return int(np.argmax(score(kbest, without)))


def _all(names: Names) -> list[str]:
    return [names[number] for number in range(len(names))]
