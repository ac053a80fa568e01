"""Exchange of words between classes, with the likelihood computed anew for every class."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

END = ""  # stands between sentences, in a class of its own


def log_likelihood(sentences: list[list[str]], classes: dict[str, int]) -> float:
    """sum log p(w | g(w)) p(g(w) | g(v)), with relative frequencies."""
    known = {**classes, END: -1}
    words = [END] + [word for sentence in sentences for word in [*sentence, END]]
    pairs = list(pairwise(words))
    pair = Counter((known[v], known[w]) for v, w in pairs)
    before = Counter(known[v] for v, _ in pairs)
    of_class = Counter(known[w] for _, w in pairs)
    of_word = Counter(w for _, w in pairs)
    return sum(
        math.log(of_word[w] / of_class[known[w]] * pair[known[v], known[w]] / before[known[v]])
        for v, w in pairs
    )


def by_frequency(sentences: list[list[str]]) -> list[str]:
    """Words, the most frequent first, then by their names."""
    count = Counter(word for sentence in sentences for word in sentence)
    return sorted(count, key=lambda word: (-count[word], word))


def exchange(
    sentences: list[list[str]], classes: dict[str, int], n_classes: int, least: float
) -> dict[str, int]:
    """The classes after each word has moved to the best class, the first of equal ones."""
    classes = dict(classes)
    for word in by_frequency(sentences):
        own = classes[word]
        best, highest = own, log_likelihood(sentences, classes)
        for g in range(n_classes):
            value = log_likelihood(sentences, {**classes, word: g})
            if g != own and value > highest + least:
                best, highest = g, value
        classes[word] = best
    return classes
