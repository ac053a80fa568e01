"""Line search by trying every interval, in exact fractions: the twin of solvers/line_search.py.

A list is a list of (features, stats): features a tuple of numbers, stats a tuple of integers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise

Number = float | Fraction
KBest = Sequence[tuple[Sequence[float], Sequence[int]]]
Interval = tuple[Fraction | None, Fraction | None, list[int]]
Metric = Callable[[list[int]], float]


def dot(theta: Sequence[Number], features: Sequence[float]) -> Fraction:
    return sum(
        (Fraction(w) * Fraction(f) for w, f in zip(theta, features, strict=True)), Fraction(0)
    )


def winners(lists: Sequence[KBest], theta: Sequence[Number]) -> list[int]:
    """Place of the highest score of every list; the first of those as high."""
    scores = [[dot(theta, features) for features, _ in one] for one in lists]
    return [max(range(len(s)), key=lambda j: (s[j], -j)) for s in scores]


def total(lists: Sequence[KBest], places: Sequence[int]) -> list[int]:
    """Sum of the statistics of the hypotheses at the places."""
    chosen = [one[j][1] for one, j in zip(lists, places, strict=True)]
    return [sum(column) for column in zip(*chosen, strict=True)]


def along(theta: Sequence[Number], direction: Sequence[float], x: Fraction) -> list[Fraction]:
    return [Fraction(w) + x * Fraction(d) for w, d in zip(theta, direction, strict=True)]


def crossings(
    lists: Sequence[KBest], theta: Sequence[Number], direction: Sequence[float]
) -> list[Fraction]:
    """Every x where two hypotheses of one list have the same score."""
    found = set()
    for one in lists:
        lines = [(dot(theta, features), dot(direction, features)) for features, _ in one]
        for (s, a), (t, b) in combinations(lines, 2):
            if a != b:
                found.add((s - t) / (b - a))
    return sorted(found)


def intervals(
    lists: Sequence[KBest], theta: Sequence[Number], direction: Sequence[float]
) -> list[Interval]:
    """(left, right, winners) of every interval in which nobody's winner changes; None: no end."""
    marks = [None, *crossings(lists, theta, direction), None]
    found: list[Interval] = []
    for left, right in pairwise(marks):
        if left is None:
            x = Fraction(0) if right is None else right - 1
        else:
            x = left + 1 if right is None else (left + right) / 2
        places = winners(lists, along(theta, direction, x))
        if found and found[-1][2] == places:
            found[-1] = (found[-1][0], right, places)
        else:
            found.append((left, right, places))
    return found


def inside(left: Fraction | None, right: Fraction | None, unit: Fraction) -> Fraction:
    """The step into an interval, as the rules have it: see docs/mert.md."""
    if left is not None and left >= 0:
        far = left + max(left, unit)
        return far if right is None else min((left + right) / 2, far)
    if right is not None and right <= 0:
        far = right - max(-right, unit)
        return far if left is None else max((left + right) / 2, far)
    return Fraction(0)


def best_interval(
    lists: Sequence[KBest],
    theta: Sequence[float],
    direction: Sequence[float],
    metric: Metric,
    low: Fraction | None = None,
    high: Fraction | None = None,
) -> tuple[float, Fraction]:
    """Metric and step of the leftmost of the best intervals within [low, high]."""
    unit = Fraction(max(map(abs, theta)) or 1)
    best: tuple[float, Fraction] | None = None
    for left, right, places in intervals(lists, theta, direction):
        left = low if left is None else left if low is None else max(left, low)
        right = high if right is None else right if high is None else min(right, high)
        if left is not None and right is not None and left >= right:
            continue
        value = metric(total(lists, places))
        if best is None or value > best[0]:
            best = value, inside(left, right, unit)
    assert best is not None, "no interval"
    return best


def climb(
    lists: Sequence[KBest], theta: Sequence[float], metric: Metric, epsilon: float
) -> tuple[list[float], float]:
    """From theta, take the axis that gains most, until none gains more than epsilon."""
    theta = list(theta)
    value = metric(total(lists, winners(lists, theta)))
    while True:
        moves = []
        for k in range(len(theta)):
            axis = [float(m == k) for m in range(len(theta))]
            moves.append((*best_interval(lists, theta, axis, metric), k))
        promised, step, k = max(moves, key=lambda move: (move[0], -move[2]))
        if not promised > value + epsilon:
            return theta, value
        theta[k] = float(theta[k] + step)
        value = metric(total(lists, winners(lists, theta)))
