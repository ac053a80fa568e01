"""How far apart the first hypothesis of a list, that of the highest score and the oracle are.

Distances are taken in the metric, in places of the list, and in words that have to be edited to
turn one text into the other (Levenshtein).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from campanula.formats.arrays.pointers import lengths_of
from campanula.formats.arrays.types import Flags, Ints
from campanula.formats.records.kbest import KBest
from campanula.stages.diagnosing.oracle_curve import oracle_place
from campanula.stages.metrics.corpus_value import CorpusValue, Value
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.sentence import SentenceTexts, Units

FIRST, BEST, ORACLE = range(3)
NAMES = ("first", "highest score", "oracle")
TARGETS = (FIRST, ORACLE)
"""The choices to which the distance in words is measured."""


@dataclass(frozen=True, slots=True)
class ChosenHypotheses:
    """One hypothesis of every list, by a rule: means over the lists.

    rank counts from 1; first is the share of lists whose first hypothesis it is; edits are words to
    the first hypothesis, and to the oracle where there is one.
    """

    name: str
    rank: float
    first: float
    value: Value
    edits_to_first: float
    edits_to_oracle: float | None


@dataclass(slots=True)
class ChoiceSums:
    """Sums over lists of one choice; edits (2,) to the first and to the oracle."""

    value: CorpusValue
    n_lists: int = 0
    rank: int = 0
    first: int = 0
    edits: Ints = field(default_factory=lambda: np.zeros(len(TARGETS), np.int64))


class Chosen:
    """Sums of the three choices; lists without scores or gains lack the second or third."""

    def __init__(self, metric: Metric | None) -> None:
        self._metric = metric
        self._n_lists = 0
        self._sums = [ChoiceSums(CorpusValue(metric)) for _ in NAMES]

    def add(self, kbest: KBest) -> Ints:
        """Add a list; return the lengths of its texts (n_hyps,) in words."""
        self._n_lists += 1
        places = np.full(len(NAMES), -1)  # -1: the list has no such choice
        places[FIRST] = 0
        if kbest.score is not None:
            places[BEST] = np.argmax(kbest.score)
        if kbest.gain is not None:
            places[ORACLE] = oracle_place(kbest, self._metric, len(kbest))
        present = places >= 0
        # as references, since words that only hypotheses have get no numbers of their own
        words = SentenceTexts(kbest.sid, kbest.text, kbest.text.take(places[present])).words
        edits = distances(words, present)
        for choice in np.flatnonzero(present).tolist():
            sums = self._sums[choice]
            place = int(places[choice])
            sums.n_lists += 1
            sums.rank += place + 1
            sums.first += place == 0
            sums.edits += edits[choice]
            sums.value.add(kbest, place)
        return lengths_of(words.hyp_end)

    def choices(self) -> list[ChosenHypotheses]:
        """Return the choices that all lists have."""
        n = self._n_lists
        with_oracle = n > 0 and self._sums[ORACLE].n_lists == n
        return [
            ChosenHypotheses(
                name,
                sums.rank / n,
                sums.first / n,
                sums.value.value(),
                float(sums.edits[0]) / n,
                float(sums.edits[1]) / n if with_oracle else None,
            )
            for name, sums in zip(NAMES, self._sums, strict=True)
            if n and sums.n_lists == n
        ]


def distances(words: Units, present: Flags) -> Ints:
    """Return word edits (3, 2) from each choice to the first and to the oracle.

    present (3,): the choices that a list has; they are the references of `words`, in their order.
    The others have 0.
    """
    from campanula.stages.kernels.metrics.edits import EDITS, word_errors

    edits = np.zeros((len(present), len(TARGETS)), np.int64)
    row = np.cumsum(present) - 1
    for column, target in enumerate(TARGETS):
        if present[target]:
            start = words.ref_end[row[target]]
            end = words.ref_end[row[target] + 1]
            text = words.ref[start:end]
            ends = np.array([0, end - start])
            edits[present, column] = word_errors(words.ref, words.ref_end, text, ends)[:, EDITS]
    return edits
