"""Counts of word n-grams, linked words and trigger pairs in a text.

A word a triggers a word b that stands anywhere after a in a sentence.  Let A be the event that a is
in the history (the words before), and B that the next word is b.  The average mutual information of
the two events over all places of the text is (Rosenfeld 1996)

    I(A; B) = sum over A or not, B or not:  P(A, B) log( P(A, B) / (P(A) P(B)) )
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.compiled import njit

CHUNK = 1 << 24  # pairs counted at a time, 128 MiB of keys: all pairs are quadratic in lengths


def ngram_counts(token: Ints, start: Ints, n: int) -> tuple[Ints, Ints]:
    """Return the distinct n-grams within sentences (n_ngrams, n), sorted by words, and counts."""
    n_words = int(token.max(initial=0)) + 1
    size = len(token)
    sentence_end = np.repeat(start[1:], np.diff(start))
    place = np.flatnonzero(np.arange(size) + n <= sentence_end)
    number = token[place]
    for k in range(1, n):
        # ranks in place of keys: their products with n_words fit 64 bits at any length n
        rank = np.unique(number, return_inverse=True)[1].reshape(-1)
        number = rank * n_words + token[place + k]
    _, first, count = np.unique(number, return_index=True, return_counts=True)
    return token[place[first][:, None] + np.arange(n)], count


def pair_counts(left: Ints, right: Ints) -> tuple[Ints, Ints]:
    """Return the distinct pairs of words (n_pairs, 2), sorted by words, and counts."""
    n_words = int(right.max(initial=0)) + 1
    key, count = np.unique(left * n_words + right, return_counts=True)
    return np.stack([key // n_words, key % n_words], axis=1), count


@njit(cache=True, nogil=True)
def histories(token: Ints, start: Ints, n_words: int) -> tuple[Ints, Ints]:
    """Return where words enter the history, first (n_tokens,), and how long they are in it.

    first[i] is 1 if the word of place i has not been in its sentence before, else 0; the second
    array (n_words,) counts the places whose history has the word.
    """
    # the last sentence that has a word: nothing need be cleared between sentences
    stamp = np.full(n_words, -1, dtype=np.int64)
    first = np.zeros(len(token), dtype=np.int64)
    after = np.zeros(n_words, dtype=np.int64)
    for s in range(len(start) - 1):
        for i in range(start[s], start[s + 1]):
            w = token[i]
            if stamp[w] != s:
                stamp[w] = s
                first[i] = 1
                after[w] += start[s + 1] - i - 1
    return first, after


@njit(cache=True, nogil=True)
def history_pairs(
    token: Ints, start: Ints, first: Ints, kept: Ints, n_words: int, begin: int, most: int
) -> tuple[Ints, int]:
    """Return keys a * n_words + b of all places b and words a of their histories, both kept words.

    They are of the sentences from `begin` on, as many as fit into `most` keys, at least one; the
    second result is the sentence after the last.  kept (n_words,): 1 for the words to count.
    """
    s = begin
    size = 0
    while s < len(start) - 1:
        length = start[s + 1] - start[s]
        # half of length^2 is no less than the length (length - 1) / 2 pairs of places
        if s > begin and size + length * length // 2 > most:
            break
        size += length * length // 2
        s += 1
    key = np.empty(size, dtype=np.int64)
    count = 0
    for t in range(begin, s):
        for j in range(start[t], start[t + 1]):
            if kept[token[j]]:
                for i in range(start[t], j):
                    if first[i] and kept[token[i]]:  # a word counts once in a history
                        key[count] = token[i] * n_words + token[j]
                        count += 1
    return key[:count], s


def trigger_counts(token: Ints, start: Ints, min_count: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Return trigger pairs (n, 2) of words that occur `min_count` times or more, and three counts.

    The counts (n,): places of b with a before; places with a before; places of b.
    """
    n_words = int(token.max(initial=0)) + 1
    occurs = np.bincount(token, minlength=n_words)
    first, after = histories(token, start, n_words)
    kept = (occurs >= min_count).astype(np.int64)
    key, count = np.zeros(0, np.int64), np.zeros(0, np.int64)
    begin = 0
    while begin < len(start) - 1:
        pairs, begin = history_pairs(token, start, first, kept, n_words, begin, CHUNK)
        fresh, n = np.unique(pairs, return_counts=True)
        # merged at once: what grows is the number of distinct pairs, not of places
        key, place = np.unique(np.concatenate([key, fresh]), return_inverse=True)
        # weights make bincount give floats, which are exact for counts below 2^53
        count = np.bincount(place.reshape(-1), np.concatenate([count, n]), len(key))
        count = count.astype(np.int64)
    left, right = np.divmod(key, n_words)
    return np.stack([left, right], axis=1), count, after[left], occurs[right]


def mutual_information(both: Ints, left: Ints, right: Ints, total: int) -> Floats:
    """Return the average mutual information of events (n,), in nats, from counts out of `total`.

    both, left, right (n,): places where both events, the first, and the second happen.
    """
    information = np.zeros(len(both))
    for a, b, joint in (
        (left, right, both),
        (left, total - right, left - both),
        (total - left, right, right - both),
        (total - left, total - right, total - left - right + both),
    ):
        some = joint > 0  # 0 log 0 counts as 0
        p = joint[some] / total
        information[some] += p * np.log(p / ((a[some] / total) * (b[some] / total)))
    return information


def most(value: Floats | Ints, n: int) -> Ints:
    """Return the places of the n highest values, highest first, of equals the first."""
    return np.argsort(-value, kind="stable")[:n]
