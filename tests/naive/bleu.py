"""BLEU's statistics and sentence gains in obvious loops; the twin of the kernels."""

from __future__ import annotations

import math


def ngrams(tokens: list[str], n: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def statistics(hypothesis: str, references: list[str]) -> list[int]:
    """Hypothesis length, closest reference length, matches of 1..4, totals of 1..4."""
    hyp, refs = hypothesis.split(), [reference.split() for reference in references]
    lengths = sorted(len(ref) for ref in refs)
    closest = min(lengths, key=lambda length: abs(length - len(hyp)))
    matches, totals = [], []
    for n in range(1, 5):
        found = ngrams(hyp, n)
        totals.append(len(found))
        matches.append(
            sum(
                min(found.count(gram), max(ngrams(ref, n).count(gram) for ref in refs))
                for gram in set(found)
            )
        )
    return [len(hyp), closest, *matches, *totals]


def bleu_plus_one(stats: list[int]) -> float:
    """Lin and Och 2004: 1 added above and below for n > 1."""
    c, r, matches, totals = stats[0], stats[1], stats[2:6], stats[6:]
    if c == 0 or matches[0] == 0:
        return 0.0
    product = matches[0] / totals[0]
    for n in (1, 2, 3):
        product *= (matches[n] + 1) / (totals[n] + 1)
    return min(1.0, math.exp(1 - r / c)) * product**0.25


def he_deng(stats: list[int]) -> float:
    """He and Deng 2012: an unclipped brevity penalty, p_3 and p_4 smoothed toward a trend."""
    c, r, matches, totals = stats[0], stats[1], stats[2:6], stats[6:]
    if c == 0:
        return 0.0
    p = [matches[n] / totals[n] if totals[n] else 0.0 for n in (0, 1)]
    for n in (2, 3):
        if not p[n - 2] or not p[n - 1]:
            return 0.0
        p.append((matches[n] + 5 * p[n - 1] ** 2 / p[n - 2]) / (totals[n] + 5))
    return math.exp(1 - r / c) * math.prod(p) ** 0.25
