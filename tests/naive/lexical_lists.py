"""Counts of word n-grams, linked words and trigger pairs, one place after another."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

Sentences = Sequence[Sequence[str]]


def ngrams(sentences: Sentences, n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(s[i : i + n]) for s in sentences for i in range(len(s) - n + 1))


def linked(
    sources: Sentences, targets: Sentences, links: Sequence[Iterable[tuple[int, int]]]
) -> Counter[tuple[str, str]]:
    return Counter(
        (f[i], e[j]) for f, e, pairs in zip(sources, targets, links, strict=True) for i, j in pairs
    )


def triggers(sentences: Sentences, min_count: int) -> dict[tuple[str, str], float]:
    """Mutual information of every pair (a, b) that makes b more likely after a."""
    occurs = ngrams(sentences, 1)
    words = [w for (w,), count in occurs.items() if count >= min_count]
    places = [(set(s[:j]), s[j]) for s in sentences for j in range(len(s))]
    found = {}
    for a in words:
        for b in words:
            table = Counter((a in history, word == b) for history, word in places)
            total = len(places)
            p = {cell: count / total for cell, count in table.items()}
            p_a = {x: p.get((x, True), 0) + p.get((x, False), 0) for x in (True, False)}
            p_b = {y: p.get((True, y), 0) + p.get((False, y), 0) for y in (True, False)}
            if p.get((True, True), 0) > p_a[True] * p_b[True] * (1 + 1e-12):
                found[a, b] = sum(v * math.log(v / (p_a[x] * p_b[y])) for (x, y), v in p.items())
    return found
