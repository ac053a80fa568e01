"""The language models for a training sentence, with its own n-gram counts left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.errors import DataError
from campanula.formats.model.files import LanguageModelFile
from campanula.formats.model.language_models import LanguageModels
from campanula.formats.model.model import Model
from campanula.stages.decoding.left_out.training_ngrams import training_ngrams
from campanula.stages.decoding.left_out.training_text import Batch, TrainingText

if TYPE_CHECKING:
    from campanula.stages.kernels.lm.left_records import LeftLanguageModel
    from campanula.stages.kernels.records import LanguageModel


class LeftLanguageModels:
    """Leaves sentences out of language models that estimate-lm made of the text they are from.

    lm: the models as kernels read them; lms: their files; whole: the text; name: name of the
    sentences' file in messages.
    """

    def __init__(
        self,
        model: Model,
        lm: LanguageModel,
        lms: Sequence[LanguageModelFile],
        whole: TrainingText,
        name: str,
        cache: str | None = None,
    ) -> None:
        assert model.lm is not None
        self._models: LanguageModels = model.lm
        self._lm = lm
        self._whole = whole.names()[1]
        self._name = name
        self._counted = training_ngrams(model, lms, whole.target, cache)
        self._number: dict[bytes, list[int]] = {}

    def without(self, batch: Batch) -> list[LeftLanguageModel]:
        """Return for each pair the models without its target sentence.

        Raises DataError for a sentence with an n-gram that the text has less often.
        """
        lines = enumerate(batch.target, batch.first + 1)
        return [self._without(target, line) for line, target in lines]

    def _without(self, target: list[bytes], line: int) -> LeftLanguageModel:
        from campanula.stages.kernels.lm.left_records import (
            MEMORY_BITS,
            LeftLanguageModel,
            Remembered,
        )
        from campanula.stages.kernels.lm.own_ngrams import FIT, own_ngrams

        n = len(target) + 2  # with <s> and </s>
        n_lms = len(self._models)
        word = np.empty((n_lms, n), np.int64)
        word[:, 0] = self._counted.first
        word[:, -1] = self._lm.end
        word[:, 1:-1] = np.array([self._numbers(w) for w in target]).reshape(-1, n_lms).T
        start = n * np.arange(n_lms + 1)  # the sentence stands once for each model, in its numbers
        own, (place, length) = own_ngrams(word.ravel(), start, self._lm, self._counted)
        if place != FIT:
            raise self._misfit(target, line, int(place) % n, int(length))
        # a memory for each sentence, since each leaves other counts out of the model
        size = 1 << MEMORY_BITS
        remembered = Remembered(
            np.full((size, 2), -1, np.int32), np.empty(size), np.empty(size, np.int32)
        )
        return LeftLanguageModel(*self._lm, self._counted, own, remembered)

    def _numbers(self, word: bytes) -> list[int]:
        """Return the numbers (n_models,) of a word; looked up once."""
        number = self._number.get(word)
        if number is None:
            number = self._number[word] = self._models.numbers(word).tolist()
        return number

    def _misfit(self, target: list[bytes], line: int, place: int, length: int) -> DataError:
        """Return the error of a sentence with an n-gram that the text has less often."""
        words = [b"<s>", *target, b"</s>"][place : place + length]
        ngram = b" ".join(words).decode()
        problem = f"expected it as often in {self._whole}, found it there less often or not at all"
        where = f"line {line}: {length}-gram '{ngram}'"
        return DataError(self._name, where, f"{problem}: name the models' text (--leave-out-text)")
