"""Sentence error rate: the share of sentences with an error, be it of one word or of all.

    SER = (sentences that equal no reference, word by word) / sentences

The %SER of Kaldi's compute-wer, with several references.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from campanula.formats.arrays.types import Flags, Ids, Ints
from campanula.stages.metrics.metric import PERCENT, Bounds
from campanula.stages.metrics.wer import Wer

if TYPE_CHECKING:
    from campanula.stages.metrics.sentence import SentenceTexts


class Ser(Wer):
    """Statistics are 1 where the words are those of no reference and 0 where they are, and 1."""

    own_name: ClassVar[str] = "ser"
    gain_names: ClassVar[tuple[str, ...]] = ("1-ser",)
    title: ClassVar[str] = "SER"
    bounds: ClassVar[Bounds] = PERCENT

    def statistics(self, sentence: SentenceTexts) -> Ints:
        """Return statistics (n_hyps, 2)."""
        hyp, hyp_end, ref, ref_end, _ = sentence.words
        # bytes can be hashed and arrays cannot
        references = set(_sequences(ref, ref_end))
        wrong = [words not in references for words in _sequences(hyp, hyp_end)]
        return np.stack([np.array(wrong, np.int64), np.ones(len(wrong), np.int64)], axis=1)

    def possible(self, stats: Ints) -> Flags:
        """Return which rows (n,) have at most one error, of one sentence."""
        return np.asarray(super().possible(stats) & (stats[:, 0] <= 1) & (stats[:, 1] == 1))


def _sequences(ids: Ids, end: Ints) -> Iterator[bytes]:
    """Yield the bytes of the word ids of each text, to be compared.

    A word that no reference has is -1, so a text with such a word equals no reference.
    """
    return (ids[first:last].tobytes() for first, last in pairwise(end.tolist()))
