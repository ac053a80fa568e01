"""Exchange of words between classes, by the likelihood of a bigram model over classes.

    log p(text) = sum_{g, g'} f(N(g, g')) - 2 sum_g f(N(g)) + sum_w f(N(w)),    f(n) = n log n

(Kneser and Ney 1993; Martin, Liermann and Ney 1998, Eq. 5).  Word after word is taken out of its
class and put into the class with the highest likelihood.  A move changes only the row and the
column of one class, at the classes of the word's neighbours, so a word with few neighbours costs
little.  One more word begins and ends sentences; it has a class of its own and stays there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit

LEAST_GAIN = 1e-6  # of log likelihood, in nats: above what rounding makes of equal sums


class Neighbours(NamedTuple):
    """Words beside each word w: word[start[w]:start[w + 1]], and how many times; never w itself."""

    start: Ints
    word: Ids
    times: Ints


class Bigrams(NamedTuple):
    """Bigrams of a text with n words; the last word stands at both ends of every sentence.

    after, before: words after and before each word; twice (n,), how often a word stands after
    itself; total (n,), how often it occurs; n_log_n: f of 0, 1, 2, ...
    """

    after: Neighbours
    before: Neighbours
    twice: Ints
    total: Ints
    n_log_n: Floats


class Classes(NamedTuple):
    """Classes of words and their counts, changed in place; the last class is of the last word.

    class_of (n_words,); total (n_classes,); pair (n_classes, n_classes) is N(g, g'), and turned
    N(g', g).
    """

    class_of: Ints
    total: Ints
    pair: Ints
    turned: Ints  # a copy of pair's columns as rows: a candidate class reads consecutive memory


class Beside(NamedTuple):
    """Classes on one side of a word: times (n_classes,), how often each stands there.

    The classes with times > 0 are list[:size[0]].
    """

    times: Ints
    list: Ints
    size: Ints  # an array of one, because a kernel cannot change a number of a tuple


@njit(cache=True, nogil=True, inline="always")
def f(n_log_n: Floats, n: int) -> float:
    """n log n, and 0 for n = 0."""
    # small counts are most counts, and a look-up is faster than a logarithm
    return float(n_log_n[n]) if n < len(n_log_n) else n * np.log(n)


@njit(cache=True, nogil=True)
def no_neighbours(n_classes: int) -> Beside:
    """Return a Beside without any class."""
    return Beside(
        np.zeros(n_classes, np.int64), np.empty(n_classes, np.int64), np.zeros(1, np.int64)
    )


@njit(cache=True, nogil=True)
def gather(word: int, neighbours: Neighbours, class_of: Ints, beside: Beside) -> None:
    """Replace the contents of `beside` by the classes of a word's neighbours."""
    times, listed, size = beside
    # only the classes that were counted: most words have neighbours of a few classes
    for place in range(size[0]):
        times[listed[place]] = 0
    size[0] = 0
    for place in range(neighbours.start[word], neighbours.start[word + 1]):
        g = class_of[neighbours.word[place]]
        if times[g] == 0:
            listed[size[0]] = g
            size[0] += 1
        times[g] += neighbours.times[place]


@njit(cache=True, nogil=True)
def gains(n_log_n: Floats, pair: Ints, beside: Beside, skipped: int) -> float:
    """Sum over classes of what f of a row of `pair` gains by a word's counts, except `skipped`."""
    times, listed, size = beside
    total = 0.0
    for place in range(size[0]):
        g = listed[place]
        if g != skipped:
            total += f(n_log_n, pair[g] + times[g]) - f(n_log_n, pair[g])
    return total


@njit(cache=True, nogil=True)
def gain_of(
    word: int, g: int, bigrams: Bigrams, classes: Classes, after: Beside, before: Beside
) -> float:
    """Return what the log likelihood gains if a word, which has no class so far, joins class g."""
    n_log_n = bigrams.n_log_n
    total = gains(n_log_n, classes.pair[g], after, g)
    total += gains(n_log_n, classes.turned[g], before, g)
    # N(g, g) gets counts from both sides at once, so both sums above leave it out
    own = classes.pair[g, g]
    more = after.times[g] + before.times[g] + bigrams.twice[word]
    total += f(n_log_n, own + more) - f(n_log_n, own)
    n = classes.total[g]
    return float(total - 2.0 * (f(n_log_n, n + bigrams.total[word]) - f(n_log_n, n)))


@njit(cache=True, nogil=True)
def put(
    word: int, g: int, sign: int, bigrams: Bigrams, classes: Classes, after: Beside, before: Beside
) -> None:
    """Add the counts of a word to those of class g, or with sign -1 take them away."""
    _, total, pair, turned = classes
    total[g] += sign * bigrams.total[word]
    for place in range(after.size[0]):
        h = after.list[place]
        pair[g, h] += sign * after.times[h]
        turned[h, g] += sign * after.times[h]
    for place in range(before.size[0]):
        h = before.list[place]
        pair[h, g] += sign * before.times[h]
        turned[g, h] += sign * before.times[h]
    pair[g, g] += sign * bigrams.twice[word]
    turned[g, g] += sign * bigrams.twice[word]


@njit(cache=True, nogil=True)
def exchange(order: Ints, bigrams: Bigrams, classes: Classes) -> int:
    """Exchange each word of `order` once, in place; return how many words have a new class.

    A word moves only for a gain above LEAST_GAIN, and to the first of equally good classes.
    """
    n_classes = len(classes.total)
    after, before = no_neighbours(n_classes), no_neighbours(n_classes)
    moved = 0
    for word in order:
        own = classes.class_of[word]
        gather(word, bigrams.after, classes.class_of, after)
        gather(word, bigrams.before, classes.class_of, before)
        put(word, own, -1, bigrams, classes, after, before)
        best = own
        highest = gain_of(word, own, bigrams, classes, after, before)
        # the last class is that of the sentences' ends, which no other word joins
        for g in range(n_classes - 1):
            if g != own:
                gain = gain_of(word, g, bigrams, classes, after, before)
                if gain > highest + LEAST_GAIN:
                    best, highest = g, gain
        put(word, best, 1, bigrams, classes, after, before)
        if best != own:
            classes.class_of[word] = best
            moved += 1
    return moved


@njit(cache=True, nogil=True)
def log_likelihood(bigrams: Bigrams, classes: Classes) -> float:
    """Natural log likelihood of the text."""
    n_log_n = bigrams.n_log_n
    total = 0.0
    for g in range(len(classes.total)):
        for h in range(len(classes.total)):
            total += f(n_log_n, classes.pair[g, h])
        total -= 2.0 * f(n_log_n, classes.total[g])
    for word in range(len(bigrams.total)):
        total += f(n_log_n, bigrams.total[word])
    return total
