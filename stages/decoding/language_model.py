"""The language model as the kernels read it, and sentences scored under it, as KenLM does."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import xxhash

from campanula.formats.arpa.reader import Arpa, read_arpa
from campanula.formats.arrays.types import Floats
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.model.automaton import (
    END_WORD,
    START_STATE,
    UNKNOWN,
    Automaton,
    automaton_of,
    with_unknown,
)
from campanula.formats.model.hash_table import table_bits
from campanula.formats.model.sorted_ngrams import Order, sorted_ngrams
from campanula.formats.model.vocabulary import words_of
from campanula.formats.records.texts import Texts
from campanula.formats.text.word_classes import read_word_classes

if TYPE_CHECKING:
    from campanula.stages.kernels.records import LanguageModel


def language_model(lm: Automaton | None) -> LanguageModel:
    """A language model for the kernels; without one, every word has probability 1."""
    from campanula.stages.kernels.records import LanguageModel

    if lm is None:
        table = np.full((8, 4), -1, np.int32)
        state = np.zeros((1, 4), np.int32)
        unigram = np.zeros((1, 2), np.int32)
        begin, end = np.zeros((2, 1), np.int64)
    else:
        table, unigram, state = lm.table, lm.unigram, lm.state
        begin = np.ascontiguousarray(lm.special[:, START_STATE])
        end = np.ascontiguousarray(lm.special[:, END_WORD])
    return LanguageModel(
        table,
        table.view(np.float32),
        unigram,
        unigram.view(np.float32),
        state,
        state.view(np.float32),
        table_bits(table),
        begin,
        end,
    )


class SentenceScorer:
    """Scores texts under an ARPA model: `scorer(texts)`; <s> and </s> are added.

    A word that the model does not have is <unk>.  A model over classes has the file of its words'
    `classes`; a word without class is <unk>.
    """

    def __init__(self, path: str, classes: str | None = None) -> None:
        self._take(read_arpa(path), display_name(path))
        if classes is not None:
            self._take_classes(read_word_classes(classes), display_name(classes))

    @classmethod
    def of_model(cls, arpa: Arpa, name: str) -> SentenceScorer:
        """Scorer of a model in memory; `name` is for what DataError says of it."""
        scorer = cls.__new__(cls)
        scorer._take(arpa, name)
        return scorer

    def _take(self, arpa: Arpa, name: str) -> None:
        arpa = with_unknown(arpa)
        orders = sorted_ngrams(arpa, name)
        self._number = {word: i for i, word in enumerate(arpa.vocabulary)}
        self._model = language_model(automaton_of(arpa.vocabulary, orders))
        self.digest = _digest(arpa.vocabulary, orders)

    def _take_classes(self, classes: dict[bytes, bytes], name: str) -> None:
        """Let words stand for their classes; raises DataError if the model knows none of these."""
        by_class, unknown = self._number, self._number[UNKNOWN]
        if by_class.keys().isdisjoint({*classes.values()} - {UNKNOWN}):
            raise DataError(name, None, "expected classes that the model has as words, found none")
        self._number = {word: by_class.get(c, unknown) for word, c in classes.items()}
        self._number.setdefault(UNKNOWN, unknown)
        listed = b"\n".join(b"\t".join(pair) for pair in sorted(classes.items()))
        self.digest = xxhash.xxh3_64_hexdigest(self.digest.encode() + listed)

    def __call__(self, texts: Texts) -> Floats:
        """Natural log probabilities (n,) of texts, which are split at blanks and tabs."""
        from campanula.stages.kernels.lm.automaton import sentence_logs

        number = self._number
        word = list[int]()
        unknown = number[UNKNOWN]
        pointer = np.zeros(len(texts) + 1, np.int64)
        for j, (start, stop) in enumerate(pairwise(texts.pointer.tolist()), 1):
            word += [number.get(token, unknown) for token in words_of(texts.blob[start:stop])]
            pointer[j] = len(word)
        return sentence_logs(self._model, np.array(word, np.int64), pointer)


def _digest(words: list[bytes], orders: list[Order]) -> str:
    """Checksum of a model, as 16 hexadecimal digits."""
    summed = xxhash.xxh3_64(b"\n".join(words))
    for key, prob, backoff in orders:
        for part in (key.astype("<i8"), prob.astype("<f4"), backoff.astype("<f4")):
            summed.update(part.tobytes())
    return summed.hexdigest()
