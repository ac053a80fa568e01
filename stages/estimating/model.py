"""The language model of a text, estimated in memory or within a bound: the same numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from campanula.formats.arpa.writer import Part, arpa_parts
from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.errors import DataError
from campanula.formats.text.corpus import SPECIALS, Corpus, WordNumbering, corpus_of
from campanula.stages.estimating.bounded import BoundedModel
from campanula.stages.estimating.levels import levels_of
from campanula.stages.estimating.scratch_text import ScratchText
from campanula.stages.kernels.lm import kneser_ney, pruning
from campanula.stages.kernels.lm.kneser_ney import Discounts, Specials

WORD = 60  # bytes of memory, about, that a word of the text takes for each order
MOST_WORDS = (1 << 32) - 1  # words with <s> and </s>: their places are numbers of 32 bits


@dataclass(frozen=True, slots=True)
class EstimateSettings:
    """Settings of an estimate.

    order: length of the longest n-grams.  fallback: discounts where counts of counts give none.
    thresholds: n-grams that occur at most so often are left out, by length.
    """

    order: int
    fallback: Discounts
    thresholds: Sequence[int]


@dataclass(frozen=True, slots=True)
class EstimatedModel:
    """A model: its words, and the parts of its file.

    sizes: numbers of its n-grams, by length.  fell_back: whether the discounts are the fallback, by
    length.  longest: length of the text's longest n-grams.  n_sentences: of the text.
    """

    words: list[str]
    parts: Iterable[Part]
    sizes: list[int]
    fell_back: list[bool]
    longest: int
    n_sentences: int


def in_memory(numbered: WordNumbering, name: str, settings: EstimateSettings) -> EstimatedModel:
    """Return the model of a text; raises DataError, with `name`, for one without a sentence."""
    corpus = corpus_of(numbered, name, SPECIALS)
    _refuse_none(len(corpus), name)
    return of_corpus(corpus, settings)


def _whole(text: ScratchText, n_tokens: int) -> Corpus:
    """Return all sentences of a text of n_tokens words and ends in memory."""
    # however many words fit, a batch ends where a piece of the lengths does
    batches = list(text.sentences(n_tokens))
    lengths = [np.diff(start) for _, start in batches]
    token = np.concatenate([token for token, _ in batches])
    return Corpus(text.words, token, pointer_of(np.concatenate(lengths)))


def bounded(
    numbered: WordNumbering,
    name: str,
    settings: EstimateSettings,
    folder: str,
    memory: int,
) -> EstimatedModel:
    """Return the same model, estimated in about `memory` bytes beside the words.

    Whatever does not fit is in files of `folder`.
    """
    text = ScratchText(numbered, name, SPECIALS, folder)
    _refuse_none(len(text), name)
    # each sentence gets <s> and </s>
    n_tokens = text.n_tokens + 2 * len(text)
    if n_tokens > MOST_WORDS:
        problem = f"expected at most {MOST_WORDS} words and ends of sentences, found {n_tokens}"
        raise DataError(name, None, problem)
    # the model is the same either way, and without files it is made faster
    if n_tokens * WORD * settings.order <= memory:
        return of_corpus(_whole(text, n_tokens), settings)
    specials = specials_of(text.words)
    levels = levels_of(text, specials, settings.order, folder, memory)
    model = BoundedModel(levels, specials, settings.fallback, settings.thresholds, folder, memory)
    sizes = [estimate.size for estimate in model.estimates]
    fell_back = [estimate.fell_back for estimate in model.estimates]
    return EstimatedModel(text.words, model.parts(), sizes, fell_back, len(levels), len(text))


def of_corpus(corpus: Corpus, settings: EstimateSettings) -> EstimatedModel:
    """Return the model of a text in memory, pruned if a threshold is not 0."""
    words = corpus.words
    specials = specials_of(words)
    # occurrences of all n-grams are counted for pruning only; Kneser-Ney itself counts most shorter
    # n-grams by the words before them
    prunes = any(settings.thresholds)
    text = (corpus.token, corpus.start, len(words), specials, settings.order)
    counts = kneser_ney.counted(*text, prunes)
    if prunes:
        kept = pruning.kept_ngrams(counts, specials, settings.thresholds)
        orders = kneser_ney.interpolated(counts, specials, settings.fallback, kept)
        orders = pruning.without_pruned(orders, kept)
        words = [words[number] for number in np.flatnonzero(kept[0]).tolist()]
    else:
        orders = kneser_ney.interpolated(counts, specials, settings.fallback)
    sizes = [len(order.word) for order in orders]
    fell_back = [order.fell_back for order in orders]
    return EstimatedModel(words, arpa_parts(orders), sizes, fell_back, len(counts), len(corpus))


def specials_of(words: Sequence[str]) -> Specials:
    """Return the numbers of the special words."""
    return Specials(*(words.index(word) for word in SPECIALS))


def _refuse_none(n_sentences: int, name: str) -> None:
    if n_sentences == 0:
        raise DataError(name, None, "expected at least one sentence, found none")
