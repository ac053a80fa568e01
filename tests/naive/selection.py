"""Selections of sentence pairs the slow way: sets of substrings, and models as dictionaries."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from tests.naive import arpa_model, kneser_ney

Substring = tuple[str, ...]


def substrings(sentence: str, longest: int) -> set[Substring]:
    """All substrings of a sentence of up to so many words."""
    words = sentence.split()
    lengths = range(1, longest + 1)
    places = range(len(words))
    return {tuple(words[i : i + n]) for i in places for n in lengths if i + n <= len(words)}


def by_substrings(
    source: Sequence[str], tests: Sequence[str], longest: int, count: int
) -> list[int]:
    """Pairs in their order that have a substring of which there are too few yet."""
    wanted = set[Substring]().union(*(substrings(line, longest) for line in tests))
    pairs: Counter[Substring] = Counter()
    chosen = []
    for number, line in enumerate(source):
        there = substrings(line, longest) & wanted
        if any(pairs[each] < count for each in there):
            chosen.append(number)
            pairs.update(there)
    return chosen


def differences(
    source: Sequence[str], domain: Sequence[str], general: Sequence[str], order: int
) -> list[float]:
    """Moore and Lewis's differences of cross-entropy, models estimated of the two texts."""
    count = Counter(word for line in domain for word in line.split())
    known = {word for word, times in count.items() if times > 1}

    def words(line: str) -> list[str]:
        return [word if word in known else "OTHER" for word in line.split()]

    def model(text: Sequence[str]) -> arpa_model.Model:
        fallback = [0.5, 1.0, 1.5]
        vocabulary = [*known, "OTHER", kneser_ney.EOS]
        orders = kneser_ney.estimate([words(line) for line in text], order, fallback, vocabulary)
        return {gram: logs for level in orders for gram, logs in level.items()}

    models = model(domain), model(general)

    def entropy(model: arpa_model.Model, line: str) -> float:
        return math.log(arpa_model.perplexity(model, order, [words(line)]))

    return [entropy(models[0], line) - entropy(models[1], line) for line in source]
