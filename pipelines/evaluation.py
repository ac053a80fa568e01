"""What a scored stream comes to: the corpus metric of the decoder's output, and how many lists."""

from __future__ import annotations

import json
from dataclasses import dataclass

from campanula.formats.collections.opening import open_lists
from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest

UNKNOWN, UNKNOWN_LOG = "UnknownWordPenalty0", -100.0
"""Moses's feature of words that no phrase pair has, and its value for each."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Corpus metric, as sacrebleu gives it, of the first hypotheses; number of lists and all.

    warning says how the texts are unlike the references, None where they are not.
    """

    value: float
    lists: int
    hypotheses: int
    warning: str | None = None


def evaluate(path: str) -> Evaluation:
    """The evaluation in a summary that `score-bleu --summary` wrote; raises DataError."""
    with open(path, encoding="utf-8") as file:
        said = json.load(file)
    if said["first"] is None:
        raise DataError(path, None, "expected k-best lists, found none")
    return Evaluation(said["first"], said["lists"], said["hypotheses"], said.get("warning"))


def copied_words(path: str) -> int:
    """How many unknown words the first hypotheses of our decoder's lists copy from the source.

    Zero for lists without its feature, and for those of another inventory's numbers.
    """
    copied = 0.0
    with open_lists(path, KBest) as lists:
        for kbest in lists:
            features = kbest.features
            for number, values in zip(features.dense_id, features.dense, strict=True):
                if kbest.names[int(number)] == UNKNOWN:
                    copied += float(values[0]) / UNKNOWN_LOG
    return round(copied)


def count(path: str) -> tuple[int, int]:
    """Number of lists and of hypotheses of a k-best stream or collection; raises DataError."""
    hypotheses = 0
    with open_lists(path, KBest, by_shard=True) as lists:
        for kbest in lists:
            hypotheses += len(kbest)
        return lists.count, hypotheses


def objective(path: str) -> float | None:
    """The objective that a weights file states in a comment, `# objective:value`."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# objective:"):
                return float(line.partition(":")[2])
    return None
