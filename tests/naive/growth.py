"""Growth transformation of He and Deng 2012 (W15 4.1) in slow, obvious loops over whole tables.

A channel is a map from (condition, outcome) to a probability, every row of the table in it.  A list
is a sequence of hypotheses: the score that stays, the rows that fire with their counts, the gain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from tests.naive.losses import softmax

LEAST = 0.1

Row = tuple[str, str]
Channel = Mapping[tuple[str, str], float]
Key = Callable[[Row], tuple[str, str]]
"""Condition and outcome of a row in a channel."""

Hypothesis = tuple[float, Mapping[Row, float], float]
KBest = Sequence[Hypothesis]


def conditions(phi: Channel) -> list[str]:
    return sorted({i for i, _ in phi})


def normalised(phi: Channel) -> dict[tuple[str, str], float]:
    """Each condition's probabilities divided by their sum."""
    total = {i: sum(p for (k, _), p in phi.items() if k == i) for i in conditions(phi)}
    return {(i, j): p / total[i] for (i, j), p in phi.items()}


def score(
    hypothesis: Hypothesis,
    table: Sequence[Channel],
    phi: Sequence[Channel],
    weights: Sequence[float],
    keys: Sequence[Key],
) -> float:
    """A score with lambda log phi of each row that fires in place of the table's own."""
    fixed, rows, _ = hypothesis
    for row, count in rows.items():
        for own, before, weight, key in zip(phi, table, weights, keys, strict=True):
            fixed += weight * count * (math.log(own[key(row)]) - math.log(before[key(row)]))
    return fixed


def posteriors(
    kbest: KBest,
    table: Sequence[Channel],
    phi: Sequence[Channel],
    weights: Sequence[float],
    keys: Sequence[Key],
) -> tuple[list[float], float]:
    """p_E of the hypotheses, and the expected gain <beta>_n."""
    p = softmax([score(hypothesis, table, phi, weights, keys) for hypothesis in kbest])
    return p, sum(q * gain for q, (_, _, gain) in zip(p, kbest, strict=True))


def objective(
    lists: Sequence[KBest],
    table: Sequence[Channel],
    phi: Sequence[Channel],
    phi0: Sequence[Channel],
    weights: Sequence[float],
    keys: Sequence[Key],
    tau: float,
) -> float:
    """log of the mean expected gain, less tau times the divergence of every condition."""
    mean = sum(posteriors(kbest, table, phi, weights, keys)[1] for kbest in lists) / len(lists)
    value = math.log(mean)
    for own, start in zip(phi, phi0, strict=True):
        value -= tau * sum(p * math.log(p / own[key]) for key, p in start.items())
    return value


def step(
    lists: Sequence[KBest],
    table: Sequence[Channel],
    phi: Sequence[Channel],
    phi0: Sequence[Channel],
    weights: Sequence[float],
    keys: Sequence[Key],
    tau: float,
    times: float,
) -> list[Channel]:
    """A step of all channels from the same posteriors, with D `times` as large as it has to be."""
    moved: list[Channel] = []
    found = [posteriors(kbest, table, phi, weights, keys) for kbest in lists]
    U = sum(mean for _, mean in found)
    for own, start, weight, key in zip(phi, phi0, weights, keys, strict=True):
        gamma, D = dict.fromkeys(own, 0.0), dict.fromkeys(conditions(own), 0.0)
        for kbest, (p, mean) in zip(lists, found, strict=True):
            for q, (_, rows, gain) in zip(p, kbest, strict=True):
                for row, count in rows.items():
                    one = weight * q * (gain - mean) * count
                    gamma[key(row)] += one
                    D[key(row)[0]] += max(0.0, -one)
        new: dict[tuple[str, str], float] = {}
        for i in conditions(own):
            keys_of = [k for k in own if k[0] == i]
            S = sum(gamma[k] for k in keys_of) + U * tau
            for k in keys_of:  # no probability falls below a tenth of itself
                need = LEAST * S - (gamma[k] + U * tau * start[k]) / own[k]
                D[i] = max(D[i], need / (1 - LEAST))
            D[i] = D[i] * times if D[i] else (times - 1) * S
            above = {k: gamma[k] + U * tau * start[k] + D[i] * own[k] for k in keys_of}
            total = sum(above.values())
            new |= {k: above[k] / total if total else own[k] for k in keys_of}
        moved.append(new)
    return moved


def transform(
    lists: Sequence[KBest],
    table: Sequence[Channel],
    weights: Sequence[float],
    keys: Sequence[Key],
    tau: float,
    iterations: int,
) -> tuple[list[Sequence[Channel]], list[float], int]:
    """Channels after every step, the objective at the start and after each, and doublings."""
    phi0 = [normalised(channel) for channel in table]
    phi: Sequence[Channel] = phi0
    doubled, times = 0, 1.0
    tables: list[Sequence[Channel]] = []
    history = [objective(lists, table, phi, phi0, weights, keys, tau)]
    for _ in range(iterations):
        times = max(times / 2, 1.0)
        while True:
            new = step(lists, table, phi, phi0, weights, keys, tau, times)
            value = objective(lists, table, new, phi0, weights, keys, tau)
            if value >= history[-1]:
                break
            times, doubled = 2 * times, doubled + 1
        phi = new
        tables.append(phi)
        history.append(value)
    return tables, history, doubled
