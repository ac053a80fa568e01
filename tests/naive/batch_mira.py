"""Batch MIRA in obvious loops; the twin of stages/tuning/solvers/batch_mira.py.

A list is a list of (features, stats) as in line_search.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Theta = Sequence[float]
KBest = Sequence[tuple[Sequence[float], Sequence[float]]]


def dot(theta: Theta, features: Sequence[float]) -> float:
    return sum(w * f for w, f in zip(theta, features, strict=True))


def scaled_bleu(stats: Sequence[float], background: Sequence[float]) -> float:
    """BLEU of stats and background added, times the reference length (Chiang et al. 2008)."""
    c, r, *counts = [s + b for s, b in zip(stats, background, strict=True)]
    precisions = [counts[n] / counts[n + 4] for n in range(4)]
    if min(precisions) <= 0.0:
        return 0.0
    mean = math.exp(sum(map(math.log, precisions)) / 4)
    return min(1.0, math.exp(1.0 - r / c)) * mean * r


def argmax(values: Sequence[float]) -> int:
    return max(range(len(values)), key=lambda j: (values[j], -j))


def corpus(lists: Sequence[KBest], theta: Theta) -> list[float]:
    """Summed statistics of the winners under theta."""
    chosen = [one[argmax([dot(theta, f) for f, _ in one])][1] for one in lists]
    return [sum(column) for column in zip(*chosen, strict=True)]


def averages(
    lists: Sequence[KBest], theta: Theta, orders: Sequence[Sequence[int]], C: float, decay: float
) -> list[list[float]]:
    """The average weights after each epoch, lists in the given orders; all features are free."""
    theta, background = list(theta), [1.0] * 10
    added, n = list(theta), 1
    found = []
    for order in orders:
        for i in order:
            one = lists[i]
            score = [dot(theta, f) for f, _ in one]
            gain = [scaled_bleu(stats, background) for _, stats in one]
            hope = argmax([s + b for s, b in zip(score, gain, strict=True)])
            fear = argmax([s - b for s, b in zip(score, gain, strict=True)])
            if not gain[hope] > gain[fear]:
                continue
            loss = gain[hope] - gain[fear] - (score[hope] - score[fear])
            d = [a - b for a, b in zip(one[hope][0], one[fear][0], strict=True)]
            if loss > 0 and dot(d, d) > 0:
                eta = min(C, loss / dot(d, d))
                theta = [w + eta * x for w, x in zip(theta, d, strict=True)]
                added = [a + w for a, w in zip(added, theta, strict=True)]
                n += 1
            seen = one[hope][1]
            background = [decay * b + s for b, s in zip(background, seen, strict=True)]
        found.append([a / n for a in added])
    return found
