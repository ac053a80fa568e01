"""Pairs whose source is like a domain: Moore and Lewis's difference of cross-entropies (2010).

    H_I(s) - H_N(s),    H(s) = - log p(s) / (words of s + 1)

of a model of the domain (I) and a general one (N), both over sentences and their ends; the lower
the better.  A model that is not given is estimated of text as `estimate-lm` does.  As in the paper,
the words that the domain's text has at least twice are known to both, all others are one word
<unk>, and the general text is a random sample, about as long as the domain's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arpa.reader import Arpa
from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.formats.records.texts import Texts
from campanula.formats.text.corpus import read_with_words
from campanula.formats.text.words import split_words
from campanula.stages.decoding.kenlm_scorer import TextScorer

if TYPE_CHECKING:
    from campanula.stages.kernels.lm import kneser_ney

TWICE = 2  # how often the domain's text has a word that the models know
FALLBACK = (0.5, 1.0, 1.5)  # discounts where counts of counts give none, those of `estimate-lm`
SPECIALS = OTHER, BEGIN, END, NEVER = "<unk>", "<s>", "</s>", "<never>"


def known_words(lines: Iterable[str]) -> list[str]:
    """Return the words that a text has at least twice, sorted."""
    count = Counter(word for line in lines for word in split_words(line))
    return sorted(word for word, times in count.items() if times >= TWICE)


def estimated_model(lines: Iterable[str], known: Sequence[str], order: int) -> Arpa:
    """Return the model of a text in which all words not in `known` are the word <unk>.

    The estimate reserves probability for words that were never seen; it goes to NEVER, a word that
    no text has, since <unk> is a word of the text here.
    """
    from campanula.stages.kernels.lm import kneser_ney

    words = [*SPECIALS, *(word for word in known if word not in SPECIALS)]
    corpus = read_with_words(lines, words)
    token = np.where(corpus.token < len(SPECIALS), SPECIALS.index(OTHER), corpus.token)
    never, begin, end = (SPECIALS.index(word) for word in (NEVER, BEGIN, END))
    specials = kneser_ney.Specials(never, begin, end)
    orders = kneser_ney.estimate(token, corpus.start, len(words), specials, order, FALLBACK)
    return arpa_of(words, orders)


def arpa_of(words: Sequence[str], orders: Sequence[kneser_ney.Order]) -> Arpa:
    """Return an estimated model in the form in which an ARPA file is read."""
    ids: list[Ints] = []
    for level in orders:
        before = ids[-1][level.prefix] if ids else np.zeros((len(level.word), 0), np.int64)
        ids.append(np.concatenate([before, level.word[:, None]], axis=1))
    return Arpa(
        [word.encode() for word in words],
        [level.astype(np.int32) for level in ids],
        [level.log_prob.astype(np.float32) for level in orders],
        [level.log_backoff.astype(np.float32) for level in orders],
    )


@dataclass(frozen=True, slots=True)
class CrossEntropyDifference:
    """Scores lines by the two models: `difference(lines)`."""

    domain: TextScorer
    general: TextScorer

    def __call__(self, lines: Sequence[str]) -> Floats:
        """Return H_I - H_N (n,) in nats a word; infinite for a line without words."""
        texts = Texts.of(lines)
        # one more below for </s>, which both models score, too
        words = np.array([len(split_words(line)) for line in lines], np.int64)
        difference = (self.general(texts) - self.domain(texts)) / (words + 1)
        return np.where(words > 0, difference, np.inf)


def sample(lengths: Ints, n_words: int, seed: int) -> Flags:
    """Return which sentences (n,) are drawn at random: about n_words words together, or all."""
    order = np.random.default_rng(seed).permutation(len(lengths))
    before = np.cumsum(lengths[order]) - lengths[order]
    chosen = np.zeros(len(lengths), np.bool_)
    # the sentence that reaches n_words is among them, so at least so many words are drawn
    chosen[order[before < n_words]] = True
    return chosen


def lowest(scores: Floats, n: int) -> Flags:
    """Return the mask (m,) of the n lowest finite scores (m,); ties go to the lower index."""
    order = np.argsort(scores, kind="stable")[:n]
    chosen = np.zeros(len(scores), np.bool_)
    chosen[order] = True
    # an empty line has an infinite score and is never chosen, even if n is the number of all
    return chosen & np.isfinite(scores)
