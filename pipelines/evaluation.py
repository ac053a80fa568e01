"""Values of a scored stream: the corpus metric of the decoder's output, numbers of lists."""

from __future__ import annotations

import json
from dataclasses import dataclass

from campanula.formats.collections.opening import open_lists
from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.pipelines.scorer import SUMMARY
from campanula.pipelines.tasks.stage_task import StageTask

UNKNOWN, UNKNOWN_LOG = "UnknownWordPenalty0", -100.0
"""Moses's feature of words that are in no phrase pair, and its value for one such word."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Corpus metric of the first hypotheses, as sacrebleu gives it; numbers of lists, hypotheses.

    warning: how the texts are unlike the references, or None.
    """

    value: float
    lists: int
    hypotheses: int
    warning: str | None = None


def evaluate(path: str) -> Evaluation:
    """The evaluation in a summary that `score-bleu --summary` wrote; raises DataError."""
    with open(path, encoding="utf-8") as file:
        summary = json.load(file)
    if summary["first"] is None:
        raise DataError(path, None, "expected k-best lists, found none")
    counts = summary["lists"], summary["hypotheses"]
    return Evaluation(summary["first"], *counts, summary.get("warning"))


def evaluation_of(scored: StageTask) -> Evaluation:
    """The evaluation of a data set that a task has scored."""
    return evaluate(scored.made(SUMMARY).path)


def copied_words(path: str) -> int:
    """Number of unknown words that the first hypotheses copy from the source.

    0 for lists without UNKNOWN, such as another decoder's, or whose ids are of an inventory.
    """
    copied = 0.0
    with open_lists(path, KBest) as lists:
        for kbest in lists:
            features = kbest.features
            for number, values in zip(features.dense_id, features.dense, strict=True):
                if kbest.names[int(number)] == UNKNOWN:
                    # the feature adds UNKNOWN_LOG for each unknown word
                    copied += float(values[0]) / UNKNOWN_LOG
    # a quotient of floats may miss the whole number by a last digit
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
