"""The lists that a run tuned on, under its weights: hopes, fears, and what each feature decides."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from campanula.formats.collections.opening import open_lists
from campanula.formats.records.kbest import KBest
from campanula.formats.weights import Weights
from campanula.pipelines import evidence
from campanula.pipelines.results import WEIGHTS
from campanula.stages.diagnosing.choices import choices


@dataclass(frozen=True, slots=True)
class ListsSeen:
    """Number of lists, number of lists that each feature decides, some hopes and fears by sid."""

    count: int = 0
    decided: Counter[str] = field(default_factory=Counter)
    features: Collection[str] = ()
    hope: dict[int, str] = field(default_factory=dict)
    fear: dict[int, str] = field(default_factory=dict)


def seen(folder: str, wanted: Collection[int]) -> ListsSeen | None:
    """Read the lists of a run's folder; return None where they are gone or have no gains.

    wanted: numbers of the sentences whose hopes and fears are returned.
    """
    path = os.path.join(folder, evidence.LISTS)
    if not os.path.exists(path):
        return None
    weights = Weights.read(os.path.join(folder, WEIGHTS))
    decided: Counter[str] = Counter()
    features: dict[str, None] = {}
    count = 0
    hope: dict[int, str] = {}
    fear: dict[int, str] = {}
    with open_lists(path, KBest) as lists:
        for kbest in lists:
            # without gains there is neither hope nor fear
            if kbest.gain is None:
                return None
            count += 1
            chosen = choices(kbest, weights)
            names = [kbest.names[number] for number in kbest.features.dense_id.tolist()]
            features.update(dict.fromkeys(names))
            pairs = zip(names, chosen.decided_by.tolist(), strict=True)
            decided.update(name for name, decides in pairs if decides)
            if kbest.sid in wanted:
                hope[kbest.sid] = kbest.text[chosen.hope]
                fear[kbest.sid] = kbest.text[chosen.fear]
    return ListsSeen(count, decided, list(features), hope, fear)
