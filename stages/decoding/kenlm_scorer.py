"""Scores of texts under a binary language model of KenLM, computed by KenLM itself.

A binary has hashes of its n-grams instead of their words, so stages that need the words, such as
the search, take the ARPA file.  The extra `kenlm` installs KenLM (kenlm-ex or ufal-kenlm).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.formats.errors import DataError
from campanula.formats.files import is_file
from campanula.formats.foreign.signatures import KENLM, signature_of
from campanula.formats.model.array_folder import default_cache
from campanula.formats.model.automaton import UNKNOWN
from campanula.formats.model.file_digests import file_digest
from campanula.formats.model.sorted_ngrams import LN10
from campanula.formats.records.texts import Texts
from campanula.formats.text.word_classes import read_word_classes
from campanula.formats.text.words import split_byte_words
from campanula.stages.decoding.language_model import SentenceScorer

HEAD = 512  # first bytes of a file, enough to recognise its kind
OTHER_BLANKS = b"\n\r\v\f"  # end a word for KenLM, but not here


class TextScorer(Protocol):
    """Computes natural log probabilities (n,) of texts; digest: checksum of the model."""

    digest: str

    def __call__(self, texts: Texts) -> Floats: ...


def open_scorer(path: str, classes: str | None = None, cache: str | None = None) -> TextScorer:
    """Return the scorer of an ARPA file or a KenLM binary; DataError for other files."""
    if is_kenlm(path):
        return KenlmScorer(path, classes, cache)
    return SentenceScorer.of_file(path, classes, cache)


def is_kenlm(path: str) -> bool:
    """Whether a path is a regular file with a KenLM binary."""
    # a look into a pipe would use up its first bytes; a file that cannot be opened gives its error
    # when it is read as an ARPA file
    if not is_file(path):
        return False
    try:
        with open(path, "rb") as file:
            return signature_of(file.read(HEAD)) is KENLM
    except OSError:
        return False


class KenlmScorer:
    """Scores texts: `scorer(texts)`; <s> and </s> are added.  Sums have 64 bits.

    classes: file with the classes of words, for a model over classes; a word without class is
    <unk>.
    """

    def __init__(self, path: str, classes: str | None = None, cache: str | None = None) -> None:
        self._model = _model(path)
        self._classes: Mapping[bytes, bytes] | None = None
        cache = cache or default_cache()
        digest = file_digest(path, cache).hex()
        if classes is not None:
            self._classes = read_word_classes(classes)
            digest += f"-{file_digest(classes, cache).hex()}"
        self.digest = f"kenlm-{digest}"

    def __call__(self, texts: Texts) -> Floats:
        """Return natural log probabilities (n,) of texts, which are split at blanks and tabs."""
        logs = (sum(self._steps(text)) for text in _texts_of(texts))
        return np.fromiter(logs, np.float64, len(texts)) * LN10

    def _steps(self, text: bytes) -> Iterator[float]:
        """Yield log10 p of each word and of the sentence's end."""
        if self._classes is not None:
            text = b" ".join(self._classes.get(word, UNKNOWN) for word in split_byte_words(text))
        if not any(blank in text for blank in OTHER_BLANKS):
            return (step[0] for step in self._model.full_scores(text, bos=True, eos=True))
        return self._by_words(split_byte_words(text))

    def _by_words(self, words: list[bytes]) -> Iterator[float]:
        """Yield log10 p of each word and of the end, passing KenLM one word at a time."""
        import kenlm

        # two states take turns: KenLM reads one and writes the other
        state, after = kenlm.State(), kenlm.State()
        self._model.BeginSentenceWrite(state)
        for word in [*words, b"</s>"]:
            yield self._model.BaseScore(state, word.decode("utf-8"), after)
            state, after = after, state


def _texts_of(texts: Texts) -> Iterator[bytes]:
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
    """Return the message of an error as one line."""
    return " ".join(str(error).split())
