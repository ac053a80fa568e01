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
    """How many lists, how many of them each feature decides, texts of some by sentence."""

    count: int = 0
    decided: Counter[str] = field(default_factory=Counter)
    features: Collection[str] = ()
    hope: dict[int, str] = field(default_factory=dict)
    fear: dict[int, str] = field(default_factory=dict)


def seen(folder: str, wanted: Collection[int]) -> ListsSeen | None:
    """Look through the lists of a run's folder; None where they are gone, or have no gains.

    wanted: numbers of the sentences whose hope and fear are asked for.
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
            if kbest.gain is None:
                return None
            count += 1
            found = choices(kbest, weights)
            names = [kbest.names[number] for number in kbest.features.dense_id.tolist()]
            features.update(dict.fromkeys(names))
            pairs = zip(names, found.decided_by.tolist(), strict=True)
            decided.update(name for name, decides in pairs if decides)
            if kbest.sid in wanted:
                hope[kbest.sid] = kbest.text[found.hope]
                fear[kbest.sid] = kbest.text[found.fear]
    return ListsSeen(count, decided, list(features), hope, fear)
