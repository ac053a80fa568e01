"""Corpus BLEU of the decoder's output: of the first hypothesis of every list of a scored stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from formats import columns
from formats.columns import ColumnError, Ints
from formats.errors import DataError
from formats.names import Names
from formats.stream import Reader


@dataclass(frozen=True, slots=True)
class FirstStats:
    """The statistics of a list's first hypothesis: a k-best record with the rest left unread."""

    KIND: ClassVar[str] = "kbest"
    VERSION: ClassVar[int] = 1

    sid: int
    size: int
    stats: Ints

    def pack(self, names: Names) -> dict[str, Any]:
        """Not written; a k-best record has more."""
        raise TypeError("statistics alone are no k-best record")

    @classmethod
    def unpack(cls, record: dict[str, Any], names: Names) -> Self:
        """Record from its wire form; raises ColumnError."""
        size = len(columns.unpack_floats(record, "gain"))
        stats = columns.unpack_ints(record, "stats")
        if not size or len(stats) % size:
            raise ColumnError(f"expected statistics of {size} hypotheses")
        return cls(columns.unpack_int(record, "sid"), size, stats.reshape(size, -1)[0])


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Corpus BLEU (0 to 100) of the first hypotheses; number of lists and hypotheses."""

    value: float
    lists: int
    hypotheses: int


def evaluate(path: str) -> Evaluation:
    """Evaluate a scored k-best stream; raises DataError when it is damaged or empty."""
    total, lists, hypotheses = np.zeros(1, np.int64), 0, 0
    with Reader(path, FirstStats) as reader:
        for first in reader:
            total = total + first.stats
            lists += 1
            hypotheses += first.size
    if not lists:
        raise DataError(path, None, "expected k-best lists, found none")
    return Evaluation(_corpus_bleu(total), lists, hypotheses)


def _corpus_bleu(stats: Ints) -> float:
    """sacrebleu's value of summed statistics: lengths, matches of 1..4, totals of 1..4."""
    from sacrebleu.metrics.bleu import BLEU

    hypothesis, reference, *counts = stats.tolist()
    order = len(counts) // 2
    score = BLEU.compute_bleu(
        counts[:order], counts[order:], hypothesis, reference, smooth_method="exp"
    )
    return float(score.score)
