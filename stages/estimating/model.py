"""The language model of a text: in memory, or within a bound of it; the same numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from campanula.formats.arpa.writer import Part, arpa_parts
from campanula.formats.errors import DataError
from campanula.formats.text.corpus import SPECIALS, Corpus, WordNumbering, corpus_of
from campanula.stages.estimating.bounded import BoundedModel
from campanula.stages.estimating.levels import levels_of
from campanula.stages.estimating.scratch_text import ScratchText
from campanula.stages.kernels.lm import kneser_ney, pruning
from campanula.stages.kernels.lm.kneser_ney import Discounts, Specials

WORD = 60  # bytes that a word of the text takes in memory for each order, about
MOST_WORDS = (1 << 32) - 1  # that files of numbers hold, with <s> and </s>


@dataclass(frozen=True, slots=True)
class EstimateSettings:
    """Longest n-grams, discounts where counts of counts give none, thresholds by length."""

    order: int
    fallback: Discounts
    thresholds: Sequence[int]


@dataclass(frozen=True, slots=True)
class EstimatedModel:
    """Words of a model, the parts of its file, and of each length how many n-grams it has and
    whether the discounts are the fallback; the length of the text's longest n-grams, and how many
    sentences it has.
    """

    words: list[str]
    parts: Iterable[Part]
    sizes: list[int]
    fell_back: list[bool]
    longest: int
    n_sentences: int


def in_memory(numbered: WordNumbering, name: str, settings: EstimateSettings) -> EstimatedModel:
    """The model of a text with its name; raises DataError for one that has no sentence."""
    corpus = corpus_of(numbered, name, SPECIALS)
    _refuse_none(len(corpus), name)
    return of_corpus(corpus, settings)


def bounded(
    numbered: WordNumbering,
    name: str,
    settings: EstimateSettings,
    folder: str,
    memory: int,
) -> EstimatedModel:
    """The same in about so many bytes beside the words, with what does not fit in a folder."""
    text = ScratchText(numbered, name, SPECIALS, folder)
    _refuse_none(len(text), name)
    n_tokens = text.n_tokens + 2 * len(text)
    if n_tokens > MOST_WORDS:
        problem = f"expected at most {MOST_WORDS} words and ends of sentences, found {n_tokens}"
        raise DataError(name, None, problem)
    if n_tokens * WORD * settings.order <= memory:
        [(token, start)] = text.sentences(n_tokens)
        return of_corpus(Corpus(text.words, token, start), settings)
    specials = specials_of(text.words)
    levels = levels_of(text, specials, settings.order, folder, memory)
    model = BoundedModel(levels, specials, settings.fallback, settings.thresholds, folder, memory)
    sizes = [estimate.size for estimate in model.estimates]
    fell_back = [estimate.fell_back for estimate in model.estimates]
    return EstimatedModel(text.words, model.parts(), sizes, fell_back, len(levels), len(text))


def of_corpus(corpus: Corpus, settings: EstimateSettings) -> EstimatedModel:
    """The model of a text in memory, pruned if a threshold is not 0."""
    words, specials = corpus.words, specials_of(corpus.words)
    n_words, prunes = len(words), any(settings.thresholds)
    given = (corpus.token, corpus.start, n_words, specials, settings.order)
    counts = kneser_ney.counted(*given, prunes)
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
    """Numbers of the special words."""
    return Specials(*(words.index(word) for word in SPECIALS))


def _refuse_none(n_sentences: int, name: str) -> None:
    if n_sentences == 0:
        raise DataError(name, None, "expected at least one sentence, found none")
