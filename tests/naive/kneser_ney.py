"""Interpolated modified Kneser-Ney with dictionaries of word tuples, straight from the formulas."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import log10

UNK, BOS, EOS = "<unk>", "<s>", "</s>"
Gram = tuple[str, ...]


def adjusted_counts(
    sentences: list[list[str]], order: int, vocabulary: Iterable[str] = ()
) -> list[Counter[Gram]]:
    """Counts of each length: occurrences for the longest and after <s>, else left neighbours.

    Words of the vocabulary that do not occur have count 0.
    """
    occurrences: list[Counter[Gram]] = [Counter() for _ in range(order)]
    neighbours: list[defaultdict[Gram, set[str]]] = [defaultdict(set) for _ in range(order)]
    for sentence in sentences:
        words = [BOS, *sentence, EOS]
        for n in range(1, order + 1):
            for i in range(len(words) - n + 1):
                gram = tuple(words[i : i + n])
                occurrences[n - 1][gram] += 1
                if i > 0:
                    neighbours[n - 1][gram].add(words[i - 1])
    counts = []
    for n in range(1, order + 1):
        count: Counter[Gram] = Counter()
        for gram, number in occurrences[n - 1].items():
            by_occurrence = n == order or gram[0] == BOS
            count[gram] = number if by_occurrence else len(neighbours[n - 1][gram])
        counts.append(count)
    counts[0][(UNK,)] = counts[0][(BOS,)] = 0
    for word in vocabulary:
        counts[0][(word,)] += 0
    return counts


def discounts(count: Counter[Gram], fallback: list[float]) -> list[float]:
    """D(0), D(1), D(2), D(3 and more) by Eq. 26, or the fallback."""
    n = [sum(1 for c in count.values() if c == j) for j in range(5)]
    if 0 in n[1:4]:
        return [0.0, *fallback]
    y = n[1] / (n[1] + 2 * n[2])
    found = [j - (j + 1) * y * n[j + 1] / n[j] for j in (1, 2, 3)]
    return [0.0, *(found if all(0 < d <= j for j, d in enumerate(found, 1)) else fallback)]


def estimate(
    sentences: list[list[str]],
    order: int,
    fallback: list[float],
    vocabulary: Iterable[str] = (),
    thresholds: Sequence[int] = (),
) -> list[dict[Gram, tuple[float, float]]]:
    """log10 probability and log10 backoff of every n-gram, by length.

    N-grams that occur at most as often as the threshold of their length are left out, unless that
    is 0, or they are special words.
    """
    counts = adjusted_counts(sentences, order, vocabulary)
    pruned = rare(sentences, thresholds)
    n_predicted = len(counts[0].keys() - pruned) - 1  # all words but <s>
    prob: dict[Gram, float] = {}
    gamma: dict[Gram, float] = {}
    for count in counts:
        discount = discounts(count, fallback)
        total: Counter[Gram] = Counter()
        held: defaultdict[Gram, float] = defaultdict(float)
        for gram, c in count.items():
            total[gram[:-1]] += c
            held[gram[:-1]] += c if gram in pruned else discount[min(c, 3)]
        for gram, c in count.items():
            history = gram[:-1]
            if gram in pruned:
                gamma[history] = held[history] / total[history]
                continue
            below = prob[gram[1:]] if history else 1 / n_predicted
            gamma[history] = held[history] / total[history]
            share = (c - discount[min(c, 3)]) / total[history]
            prob[gram] = share + gamma[history] * below
    prob[(BOS,)] = 1.0
    return [
        {gram: (log10(prob[gram]), log10(gamma.get(gram, 1.0))) for gram in count.keys() - pruned}
        for count in counts
        if count.keys() - pruned
    ]


def rare(sentences: list[list[str]], thresholds: Sequence[int]) -> set[Gram]:
    """N-grams that are left out."""
    times: Counter[Gram] = Counter()
    for sentence in sentences:
        words = [BOS, *sentence, EOS]
        for n in range(1, len(thresholds) + 1):
            times.update(tuple(words[i : i + n]) for i in range(len(words) - n + 1))
    return {
        gram
        for gram, number in times.items()
        if number <= thresholds[len(gram) - 1] and gram not in {(UNK,), (BOS,), (EOS,)}
    }
