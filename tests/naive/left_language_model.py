"""A Kneser-Ney model without one sentence of its text, with dictionaries, from the definition.

Counts are those of the other sentences, discounts and words those of the whole text.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from math import log

from tests.naive.kneser_ney import BOS, EOS, Gram, adjusted_counts, discounts


class LeftModel:
    """The model of all sentences but number `left`, or of all where that is None."""

    def __init__(
        self, sentences: list[list[str]], order: int, fallback: list[float], left: int | None
    ) -> None:
        whole = [count for count in adjusted_counts(sentences, order) if count]
        self.words = {word for (word,) in whole[0]}
        self.order = len(whole)
        self._discount = [discounts(count, fallback) for count in whole]
        others = [sentence for i, sentence in enumerate(sentences) if i != left]
        self.count: Counter[Gram] = Counter()
        for count in adjusted_counts(others, self.order):
            self.count.update(count)
        self._total: Counter[Gram] = Counter()
        self._held: defaultdict[Gram, float] = defaultdict(float)
        for gram, c in self.count.items():
            self._total[gram[:-1]] += c
            self._held[gram[:-1]] += self._discount[len(gram) - 1][min(c, 3)]

    def prob(self, history: Gram, word: str) -> float:
        """p(word | history)."""
        if not history and word == BOS:
            return 1.0
        history = history[max(0, len(history) - self.order + 1) :]
        below = self.prob(history[1:], word) if history else 1 / (len(self.words) - 1)
        if not self._total[history]:
            return below
        c = self.count[(*history, word)]
        share = max(c - self._discount[len(history)][min(c, 3)], 0.0)
        return (share + self._held[history] * below) / self._total[history]

    def gamma(self, history: Gram) -> float:
        """What lower orders weigh after a context."""
        total = self._total[history]
        return self._held[history] / total if total else 1.0

    def logs(self, words: list[str]) -> list[float]:
        """Natural log probability of each word of a sentence, and of its end."""
        history: Gram = (BOS,)
        logs = []
        for word in (*words, EOS):
            logs.append(log(self.prob(history, word)))
            history = (*history, word)
        return logs
