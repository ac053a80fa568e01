"""The language model as the kernels read it, and a scorer of texts, which scores as KenLM does."""

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
    LanguageModels,
    Lexicon,
    compiled,
    together,
)
from campanula.formats.records.texts import Texts

if TYPE_CHECKING:
    from campanula.stages.kernels.lm.text_logs import SpelledWords
    from campanula.stages.kernels.records import LanguageModel


def language_model(lm: Automaton | None) -> LanguageModel:
    """Return a language model for the kernels; None: one in which all probabilities are 1."""
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

    A word that the model lacks is <unk>; for a model over classes, a word without class.  digest:
    checksum of the model; model, words: the model for kernels.
    """

    def __init__(self, models: LanguageModels) -> None:
        assert len(models) == 1
        (words,) = models.lexicons
        self.digest = models.checksums[0]
        self.model = language_model(models.automaton)
        self.words = spelled_words(words, int(models.automaton.special[0, UNKNOWN_WORD]))

    @classmethod
    def of_file(
        cls, path: str, classes: str | None = None, cache: str | None = None
    ) -> SentenceScorer:
        """Return the scorer of an ARPA file, which is compiled and kept in a cache folder.

        classes: file with the classes of words, for a model over classes.  Raises DataError for a
        malformed file.
        """
        return cls(load_language_models([LanguageModelFile(path, classes)], cache))

    @classmethod
    def of_model(cls, arpa: Arpa, name: str) -> SentenceScorer:
        """Return the scorer of a model in memory; name: that of the model in a DataError."""
        return cls(together([compiled(arpa, name)]))

    def __call__(self, texts: Texts) -> Floats:
        """Return natural log probabilities (n,) of texts, which are split at blanks and tabs."""
        from campanula.stages.kernels.lm.text_logs import text_logs

        return text_logs(self.model, self.words, np.frombuffer(texts.blob, np.uint8), texts.pointer)


def spelled_words(lm_words: Lexicon, unknown: int) -> SpelledWords:
    """Return the words of one model for the kernels; unknown: the number of <unk>."""
    from campanula.stages.kernels.lm.text_logs import SpelledWords

    words = lm_words.words
    return SpelledWords(
        words.blob, words.offset, lm_words.number, lm_words.slot, table_bits(lm_words.slot), unknown
    )
