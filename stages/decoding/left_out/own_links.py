"""Links of the words of sentence pairs, with a model's numbers of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Ints
from campanula.formats.model.model import Model
from campanula.formats.model.vocabulary import Vocabulary
from campanula.stages.decoding.left_out.training_text import Batch, Sentences

if TYPE_CHECKING:
    from campanula.stages.kernels.bitext.left_records import OwnLinks


class OwnWords:
    """Numbers the words of sentence pairs; all words that the model lacks have the last number."""

    def __init__(self, model: Model) -> None:
        self._source = _WordNumbers(model.source)
        self._target = _WordNumbers(model.target)

    def links_of(self, batch: Batch, pattern_start: Ints, pattern: Ints) -> OwnLinks:
        """Return the links of the pairs; pattern: link patterns of their blocks' occurrences."""
        from campanula.stages.kernels.bitext.left_records import OwnLinks

        links = batch.alignments
        pair = np.repeat(np.arange(len(links)), np.diff(links.start))
        source, source_start = self._source.numbers(batch.source)
        target, target_start = self._target.numbers(batch.target)
        f = source_start[pair] + links.source
        e = target_start[pair] + links.target
        return OwnLinks(
            links.start,
            source[f],
            target[e],
            *_alone(source, source_start, f),
            *_alone(target, target_start, e),
            pattern_start,
            pattern,
        )


class _WordNumbers:
    """A vocabulary's numbers of words, each looked up once."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._number: dict[bytes, int] = {}

    def numbers(self, text: Sentences) -> tuple[Ints, Ints]:
        """Return the numbers (n,) of all words, and where each sentence begins (n_pairs + 1,)."""
        number = [self._find(word) for words in text for word in words]
        return np.array(number, np.int64), pointer_of([len(words) for words in text])

    def _find(self, word: bytes) -> int:
        number = self._number.get(word)
        if number is None:
            number = self._vocabulary.find(word)
            self._number[word] = number = len(self._vocabulary) if number < 0 else number
        return number


def _alone(word: Ints, start: Ints, linked: Ints) -> tuple[Ints, Ints]:
    """Return where the unlinked words of each sentence begin, and these words.

    linked: places of the words that are linked.
    """
    alone = np.ones(len(word), np.bool_)
    alone[linked] = False
    # as many unlinked words as stand before a sentence: there its own begin
    return pointer_of(alone)[start], word[alone]
