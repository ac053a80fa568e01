"""What weights choose in a scored list: the best hypothesis, hope, fear, and what decides.

    best    argmax s
    hope    argmax s - c        c = alpha (1 - gain)        (G&S 2012, Eq. 8)
    fear    argmax s + c

Ties go to the lower index.  A feature decides a list if another hypothesis is best when the weight
of the feature is 0.
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
    """Return the choices in a list with gains; a feature without a weight counts 0."""
    assert kbest.gain is not None
    theta = np.array([weights.get(name, 0.0) for name in _all(kbest.names)], np.float64)
    scores = score(kbest, theta)
    cost = alpha * (1.0 - kbest.gain)
    best = int(np.argmax(scores))
    decided = [_best_without(kbest, theta, int(i)) != best for i in kbest.features.dense_id]
    return ListChoices(
        best,
        int(np.argmax(scores - cost)),
        int(np.argmax(scores + cost)),
        np.array(decided, np.bool_),
    )


def _best_without(kbest: KBest, theta: Floats, feature: int) -> int:
    """Return the best hypothesis when a feature has weight 0, with scores as `rerank` adds them."""
    # nothing changes then, and the vector need not be copied
    if theta[feature] == 0.0:
        return int(np.argmax(score(kbest, theta)))
    without = theta.copy()
    without[feature] = 0.0
    return int(np.argmax(score(kbest, without)))


def _all(names: Names) -> list[str]:
    return [names[number] for number in range(len(names))]
