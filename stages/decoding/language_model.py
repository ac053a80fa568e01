"""The language model as the kernels read it, and sentences scored under it, as KenLM does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arpa.reader import Arpa
from campanula.formats.arrays.types import Floats
from campanula.formats.model.automaton import END_WORD, START_STATE, UNKNOWN_WORD, Automaton
from campanula.formats.model.files import LanguageModelFile
from campanula.formats.model.hash_table import table_bits
from campanula.formats.model.kept_language_models import load_language_models
from campanula.formats.model.language_models import (
    KnownWords,
    LanguageModels,
    compiled,
    together,
)
from campanula.formats.records.texts import Texts

if TYPE_CHECKING:
    from campanula.stages.kernels.lm.text_logs import SpelledWords
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
    """Scores texts under a language model: `scorer(texts)`; <s> and </s> are added.

    A word that the model does not have is <unk>; of a model over classes, a word without class.
    `digest` is a checksum of what the model says; `model` and `words` are it, for kernels.
    """

    def __init__(self, models: LanguageModels) -> None:
        assert len(models) == 1
        (known,) = models.known
        self.digest = models.checksums[0]
        self.model = language_model(models.automaton)
        self.words = spelled_words(known, int(models.automaton.special[0, UNKNOWN_WORD]))

    @classmethod
    def of_file(
        cls, path: str, classes: str | None = None, cache: str | None = None
    ) -> SentenceScorer:
        """Scorer of an ARPA file, compiled and kept in a cache folder; raises DataError.

        A model over classes has the file of its words' `classes`.
        """
        return cls(load_language_models([LanguageModelFile(path, classes)], cache))

    @classmethod
    def of_model(cls, arpa: Arpa, name: str) -> SentenceScorer:
        """Scorer of a model in memory; `name` is for what DataError says of it."""
        return cls(together([compiled(arpa, name)]))

    def __call__(self, texts: Texts) -> Floats:
        """Natural log probabilities (n,) of texts, which are split at blanks and tabs."""
        from campanula.stages.kernels.lm.text_logs import text_logs

        return text_logs(self.model, self.words, np.frombuffer(texts.blob, np.uint8), texts.pointer)


def spelled_words(known: KnownWords, unknown: int) -> SpelledWords:
    """Words of one model for the kernels, with the number of those that it does not know."""
    from campanula.stages.kernels.lm.text_logs import SpelledWords

    words = known.words
    return SpelledWords(
        words.blob, words.offset, known.number, known.slot, table_bits(known.slot), unknown
    )
