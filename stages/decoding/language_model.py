"""A language model that scores whole sentences, as KenLM does, in natural logarithms."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import xxhash

from campanula.formats.arpa.reader import Arpa, read_arpa
from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.model.automaton import BEGIN, END, LN10, UNKNOWN, with_unknown
from campanula.formats.model.vocabulary import words_of
from campanula.formats.records.texts import Texts

if TYPE_CHECKING:
    from campanula.stages.kernels.lm.backoff import Backoff


class SentenceScorer:
    """Scores texts under an ARPA model: `scorer(texts)`; <s> and </s> are added.

    A word that the model does not have is <unk>.
    """

    def __init__(self, path: str) -> None:
        name, arpa = display_name(path), with_unknown(read_arpa(path))
        self._number = {word: i for i, word in enumerate(arpa.vocabulary)}
        for word in (BEGIN, END):
            if word not in self._number:
                problem = f"expected the word {word.decode()}, found no such unigram"
                raise DataError(name, None, problem)
        self._model = backoff_model(arpa, name)
        self.digest = _digest(arpa.vocabulary, self._model)

    def __call__(self, texts: Texts) -> Floats:
        """Natural log probabilities (n,) of texts, which are split at blanks and tabs."""
        from campanula.stages.kernels.lm.backoff import sentence_scores

        number, word = self._number, []
        begin, end, unknown = (number[special] for special in (BEGIN, END, UNKNOWN))
        pointer = np.zeros(len(texts) + 1, np.int64)
        for j, (start, stop) in enumerate(pairwise(texts.pointer.tolist()), 1):
            word.append(begin)
            word += [number.get(token, unknown) for token in words_of(texts.blob[start:stop])]
            word.append(end)
            pointer[j] = len(word)
        return sentence_scores(self._model, np.array(word, np.int64), pointer)


def backoff_model(arpa: Arpa, name: str) -> Backoff:
    """Sort the n-grams of a model; raises DataError for one whose context it does not have."""
    from campanula.stages.kernels.lm.backoff import Backoff, find

    key: list[Ints] = []
    prob, backoff = [], []
    for n, (words, p, b) in enumerate(zip(arpa.words, arpa.prob, arpa.backoff, strict=True), 1):
        word = words.astype(np.int64)
        context = word[:, 0] if n > 1 else np.zeros(len(word), np.int64)
        for k in range(1, n - 1):
            context = find(key[k], context, word[:, k])
            _check_contexts(arpa, name, word[context < 0], k + 1)
        keys = context << 32 | word[:, -1]
        order = np.argsort(keys, kind="stable")
        key.append(keys[order])
        if (np.diff(key[-1]) == 0).any():
            raise DataError(name, f"{n}-grams", "expected each once, found one twice")
        prob.append((p[order] * LN10).astype(np.float32))
        backoff.append((b[order] * LN10).astype(np.float32))
    return Backoff(tuple(key), tuple(prob), tuple(backoff))


def _check_contexts(arpa: Arpa, name: str, orphan: Ints, known: int) -> None:
    if len(orphan):
        text = b" ".join(arpa.vocabulary[word] for word in orphan[0].tolist()).decode(
            errors="replace"
        )
        problem = f"expected its first {known} words as an n-gram, found none"
        raise DataError(name, f"{orphan.shape[1]}-gram '{text}'", problem)


def _digest(words: list[bytes], model: Backoff) -> str:
    """Checksum of a model, as 16 hexadecimal digits."""
    summed = xxhash.xxh3_64(b"\n".join(words))
    for key, prob, backoff in zip(*model, strict=True):
        for part in (key.astype("<i8"), prob.astype("<f4"), backoff.astype("<f4")):
            summed.update(part.tobytes())
    return summed.hexdigest()
