"""Interpolated modified Kneser-Ney estimates of an n-gram model.

    p(w | h) = (c(h w) - D(c(h w))) / sum_v c(h v) + gamma(h) p(w | h')
    gamma(h) = sum_v D(c(h v)) / sum_v c(h v)

where h' is h without its first word, D(c) is one of three discounts by min(c, 3), and the
unigrams are interpolated with the uniform distribution over all words but <s>.  For the longest
n-grams, and for those that begin with <s>, c counts occurrences; for the others, how many words
stand before them (Chen and Goodman 1998, section 4.1.6 and Eq. 26; as KenLM's lmplz counts).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.stages.kernels.bitext.ngrams import Ngrams, ngrams

Discounts = tuple[float, float, float]
FALLBACK: Discounts = (0.5, 1.0, 1.5)
"""Discounts for an order whose counts of counts give none; KenLM's lmplz has the same numbers."""


@dataclass(frozen=True, slots=True)
class Order:
    """The n-grams of one length: n-gram number `prefix` of the order below, then `word`.

    All arrays (K,), sorted by (prefix, word): log10 of the probability and of the backoff weight,
    0 for an n-gram that is no context.  fell_back: whether `discounts` are the fallback.
    """

    prefix: Ints
    word: Ints
    log_prob: Floats
    log_backoff: Floats
    discounts: Discounts
    fell_back: bool


@dataclass(frozen=True, slots=True)
class Specials:
    """Numbers of the words <unk>, <s> and </s>."""

    unk: int
    bos: int
    eos: int


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts c of the n-grams of one length; `suffix` (K,): the n-gram without its first word.

    `times` (K,): how often each occurs; empty unless asked for.
    """

    prefix: Ints
    word: Ints
    suffix: Ints
    count: Ints
    times: Ints


def estimate(
    token: Ints,
    start: Ints,
    n_words: int,
    specials: Specials,
    order: int,
    fallback: Discounts,
) -> list[Order]:
    """Return the model of the sentences token[start[i]:start[i + 1]], which hold no special words.

    The model has the orders that occur, at most `order` of them: a text of short sentences has no
    long n-grams.  `fallback`: discounts of an order whose counts of counts give none.
    """
    return interpolated(counted(token, start, n_words, specials, order), specials, fallback)


def counted(
    token: Ints,
    start: Ints,
    n_words: int,
    specials: Specials,
    order: int,
    with_times: bool = False,
) -> list[Counts]:
    """Return the counts of the n-grams of each length; arguments as in `estimate`."""
    text, bounds = with_boundaries(token, start, specials)
    return _count(text, bounds, n_words, specials, order, with_times)


def interpolated(
    counts: list[Counts],
    specials: Specials,
    fallback: Discounts,
    kept: Sequence[Flags] | None = None,
) -> list[Order]:
    """Return the model of counted n-grams; the unigrams are all words of the vocabulary.

    kept (K,) of each length: which n-grams the model keeps (pruning.py).  The others are still in
    the result, and their probabilities mean nothing.
    """
    n_words = len(counts[0].word)
    n_kept = n_words if kept is None else int(kept[0].sum())
    prob = np.full(n_words, 1.0 / (n_kept - 1))  # below the unigrams; <s> is never predicted
    probs: list[Floats] = []
    gammas: list[Floats] = []
    used: list[tuple[Discounts, bool]] = []  # by length: discounts, and whether the fallback
    for number, level in enumerate(counts):
        discounts, fell_back = discounts_of(counts_of_counts(level.count), fallback)
        discount = discount_of(level.count, discounts, None if kept is None else kept[number])
        prob, gamma = interpolate(level, discount, prob, len(probs[-1]) if probs else 1)
        if not probs:
            prob[specials.bos] = 1.0  # <s> opens every sentence
        probs.append(prob)
        gammas.append(gamma)
        used.append((discounts, fell_back))
    gammas.append(np.ones(len(prob)))
    # at most 0: rounding may lift a probability of 1 a little above 1
    return [
        Order(level.prefix, level.word, np.minimum(np.log10(p), 0.0), np.log10(gamma), *discounts)
        for level, p, gamma, discounts in zip(counts, probs, gammas[1:], used, strict=True)
    ]


def with_boundaries(token: Ints, start: Ints, specials: Specials) -> tuple[Ints, Ints]:
    """Return the sentences with <s> before and </s> behind each, and their pointers (n + 1,)."""
    n_sentences = len(start) - 1
    # each sentence before has moved the next ones by its two special words
    bounds = start + 2 * np.arange(n_sentences + 1)
    text = np.empty(len(token) + 2 * n_sentences, np.int64)
    sentence = np.repeat(np.arange(n_sentences), np.diff(start))
    text[np.arange(len(token)) + 2 * sentence + 1] = token
    text[bounds[:-1]] = specials.bos
    text[bounds[1:] - 1] = specials.eos
    return text, bounds


def _count(
    text: Ints, bounds: Ints, n_words: int, specials: Specials, order: int, with_times: bool
) -> list[Counts]:
    """Adjusted counts of all n-grams, by length."""
    levels: list[Counts] = []
    before: Ngrams | None = None
    for length, level in enumerate(ngrams(text, bounds, n_words, order), 1):
        if len(level.first) == 0:
            break
        if before is None:
            levels.append(_unigrams(level, text, n_words, specials, with_times))
        else:
            last = text[level.first + (length - 1)]
            suffix = before.at[level.first + 1]
            prefix = before.at[level.first]
            if length == 2:  # unigrams stand by word number, and also words that do not occur
                suffix, prefix = text[level.first + 1], text[level.first]
            begins = np.zeros(n_words, bool) if length == 2 else text[before.first] == specials.bos
            # the order below is adjusted only now: its counts are words before it, which the longer
            # n-grams show
            _adjust(levels[-1], suffix, begins)
            times = level.count.copy() if with_times else level.count[:0]
            levels.append(Counts(prefix, last, suffix, level.count, times))
        before = level
    return levels


def _unigrams(
    level: Ngrams, text: Ints, n_words: int, specials: Specials, with_times: bool
) -> Counts:
    """Return the counts of every word of the vocabulary; <unk> and <s> have count 0."""
    count = np.zeros(n_words, np.int64)
    count[text[level.first]] = level.count
    count[[specials.unk, specials.bos]] = 0
    zero = np.zeros(n_words, np.int64)
    times = count.copy() if with_times else zero[:0]
    return Counts(zero, np.arange(n_words), np.arange(n_words), count, times)


def _adjust(level: Counts, suffix: Ints, begins: Flags) -> None:
    """Replace counts, in place, by how many words stand before an n-gram without <s>."""
    # each distinct longer n-gram is one distinct word before its suffix
    continuation = np.bincount(suffix, minlength=len(level.count))
    np.copyto(level.count, continuation, where=~begins)


def counts_of_counts(count: Ints) -> Ints:
    """How many n-grams (6,) have the counts 0 to 4, and more."""
    return np.bincount(np.minimum(count, 5), minlength=6)


def discounts_of(numbers: Ints, fallback: Discounts) -> tuple[Discounts, bool]:
    """Discounts of the counts 1, 2 and 3 or more by counts of counts, and whether they are the
    fallback.

    Y = n1 / (n1 + 2 n2), D_j = j - (j + 1) Y n_{j+1} / n_j    (Chen and Goodman 1998, Eq. 26)
    """
    n = numbers.astype(float)
    if (n[1:4] == 0).any():
        return fallback, True
    y = n[1] / (n[1] + 2 * n[2])
    d1, d2, d3 = (j - (j + 1) * y * n[j + 1] / n[j] for j in (1, 2, 3))
    if not (0 < d1 <= 1 and 0 < d2 <= 2 and 0 < d3 <= 3):
        return fallback, True
    return (float(d1), float(d2), float(d3)), False


def discount_of(count: Ints, discounts: Discounts, kept: Flags | None) -> Floats:
    """Return what is taken from every count (K,): its discount, or all of a count not kept."""
    discount: Floats = np.array([0.0, *discounts])[np.minimum(count, 3)]
    if kept is not None:
        np.copyto(discount, count, where=~kept)
    return discount


def interpolate(
    level: Counts, discount: Floats, below: Floats, n_contexts: int
) -> tuple[Floats, Floats]:
    """Return the probability of every n-gram, and gamma of every context, 1 where none follows."""
    # count and discount are summed over each context's n-grams, whose prefix is the context
    total = np.bincount(level.prefix, level.count, n_contexts)
    held = np.bincount(level.prefix, discount, n_contexts)
    gamma = np.divide(held, total, out=np.ones(n_contexts), where=total > 0)
    prob = (level.count - discount) / total[level.prefix]
    prob += gamma[level.prefix] * below[level.suffix]
    return prob, gamma
