"""Texts scored under a binary of KenLM's, by KenLM itself.

A binary has hashes of its n-grams and not their words, so what needs those, such as the search,
takes the ARPA file.  The package with KenLM is the extra `kenlm` (kenlm-ex or ufal-kenlm).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.formats.errors import DataError
from campanula.formats.foreign.signatures import KENLM, signature_of
from campanula.formats.model.array_folder import default_cache
from campanula.formats.model.automaton import UNKNOWN
from campanula.formats.model.file_digests import digest_of
from campanula.formats.model.sorted_ngrams import LN10
from campanula.formats.model.vocabulary import words_of
from campanula.formats.records.texts import Texts
from campanula.formats.text.word_classes import read_word_classes
from campanula.stages.decoding.language_model import SentenceScorer

HEAD = 512  # bytes of a file that tell its kind
OTHER_BLANKS = b"\n\r\v\f"  # at which KenLM ends a word, and we do not


class TextScorer(Protocol):
    """Natural log probabilities (n,) of texts, and a checksum of what the model says."""

    digest: str

    def __call__(self, texts: Texts) -> Floats: ...


def open_scorer(path: str, classes: str | None = None, cache: str | None = None) -> TextScorer:
    """Scorer of an ARPA file or of a binary of KenLM's; raises DataError."""
    if is_kenlm(path):
        return KenlmScorer(path, classes, cache)
    return SentenceScorer.of_file(path, classes, cache)


def is_kenlm(path: str) -> bool:
    """Whether a regular file is a binary of KenLM's."""
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return signature_of(file.read(HEAD)) is KENLM
    except OSError:
        return False


class KenlmScorer:
    """Scores texts: `scorer(texts)`; <s> and </s> are added.  Sums are of 64 bits.

    A model over classes has the file of its words' `classes`; a word without class is <unk>.
    """

    def __init__(self, path: str, classes: str | None = None, cache: str | None = None) -> None:
        self._model = _model(path)
        self._classes: Mapping[bytes, bytes] | None = None
        digest = digest_of(path, os.path.join(cache or default_cache(), "digests")).hex()
        if classes is not None:
            self._classes = read_word_classes(classes)
            kept = os.path.join(cache or default_cache(), "digests")
            digest += f"-{digest_of(classes, kept).hex()}"
        self.digest = f"kenlm-{digest}"

    def __call__(self, texts: Texts) -> Floats:
        """Natural log probabilities (n,) of texts, which are split at blanks and tabs."""
        logs = (sum(self._steps(text)) for text in _each(texts))
        return np.fromiter(logs, np.float64, len(texts)) * LN10

    def _steps(self, text: bytes) -> Iterator[float]:
        """log10 p of each word and of the end."""
        if self._classes is not None:
            text = b" ".join(self._classes.get(word, UNKNOWN) for word in words_of(text))
        if not any(blank in text for blank in OTHER_BLANKS):
            return (step[0] for step in self._model.full_scores(text, bos=True, eos=True))
        return self._by_words(words_of(text))

    def _by_words(self, words: list[bytes]) -> Iterator[float]:
        """The same of words given one by one."""
        import kenlm

        state, after = kenlm.State(), kenlm.State()
        self._model.BeginSentenceWrite(state)
        for word in [*words, b"</s>"]:
            yield self._model.BaseScore(state, word.decode("utf-8"), after)
            state, after = after, state


def _each(texts: Texts) -> Iterator[bytes]:
    for start, stop in pairwise(texts.pointer.tolist()):
        yield texts.blob[start:stop]


def _model(path: str) -> Any:
    try:
        import kenlm
    except ImportError as error:
        problem = (
            "is a binary of KenLM's, which takes KenLM to read: install campanula[kenlm]"
            " (kenlm-ex or ufal-kenlm), or give the ARPA file that it was made of"
        )
        raise DataError(path, None, problem) from error
    try:
        return kenlm.Model(path)
    except (OSError, RuntimeError) as error:
        raise DataError(path, None, f"KenLM cannot read it: {_line(error)}") from error


def _line(error: Exception) -> str:
    """What an error says, in one line."""
    return " ".join(str(error).split())
