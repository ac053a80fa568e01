"""Losses and RAMPION in slow, obvious loops over maps: the twin of descent.py and its callers.

A list is a sequence of hypotheses; a hypothesis is a pair (features by name, gain).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

Theta = Mapping[str, float]
Hypothesis = tuple[Mapping[str, float], float]
KBest = Sequence[Hypothesis]


def dot(theta: Theta, features: Mapping[str, float]) -> float:
    return sum(theta.get(name, 0.0) * value for name, value in features.items())


def argmax(values: Sequence[float]) -> int:
    best = 0
    for j, value in enumerate(values):
        if value > values[best]:
            best = j
    return best


def hope(name: str, theta: Theta, kbest: KBest, alpha: float, gamma: float = 1.0) -> int:
    """Place that the concave part of a hard loss picks."""
    score = [dot(theta, features) for features, _ in kbest]
    cost = [alpha * (1.0 - gain) for _, gain in kbest]
    if name in ("perceptron-kbest", "hinge-kbest"):
        return argmax([-c for c in cost])
    factor = {"ramp1": 0.0, "perceptron-gamma": gamma}.get(name, 1.0)
    return argmax([s - factor * c for s, c in zip(score, cost, strict=True)])


def fear(name: str, theta: Theta, kbest: KBest, alpha: float) -> int:
    """Place that the convex part of a hard loss picks."""
    score = [dot(theta, features) for features, _ in kbest]
    cost = [alpha * (1.0 - gain) for _, gain in kbest]
    if name in ("ramp2", "perceptron-kbest", "perceptron-gamma"):
        return argmax(score)
    return argmax([s + c for s, c in zip(score, cost, strict=True)])


def loss(name: str, theta: Theta, kbest: KBest, alpha: float, gamma: float = 1.0) -> float:
    """Loss of one list, straight from Gimpel & Smith's Eq. 6-8, 10, 11 and section 3.3."""
    score = [dot(theta, features) for features, _ in kbest]
    cost = [alpha * (1.0 - gain) for _, gain in kbest]
    pairs = list(zip(score, cost, strict=True))
    least = score[argmax([-c for c in cost])]
    losses: dict[str, Callable[[], float]] = {
        "ramp1": lambda: -max(score) + max(s + c for s, c in pairs),
        "ramp2": lambda: -max(s - c for s, c in pairs) + max(score),
        "ramp3": lambda: -max(s - c for s, c in pairs) + max(s + c for s, c in pairs),
        "perceptron-kbest": lambda: -least + max(score),
        "perceptron-gamma": lambda: -max(s - gamma * c for s, c in pairs) + max(score),
        "hinge-kbest": lambda: -least + max(s + c for s, c in pairs),
    }
    return losses[name]()


def objective(
    name: str,
    theta: Theta,
    lists: Sequence[KBest],
    alpha: float,
    C: float,
    center: Theta,
    gamma: float = 1.0,
) -> float:
    distance = sum((theta[k] - center[k]) ** 2 for k in theta)
    return math.fsum(loss(name, theta, kbest, alpha, gamma) for kbest in lists) + C / 2 * distance


def rampion(
    name: str,
    theta0: Theta,
    lists: Sequence[KBest],
    cccp_iterations: int,
    epochs: int,
    eta: float,
    C: float,
    alpha: float,
    gamma: float = 1.0,
) -> dict[str, float]:
    """Lines 4-15 of Algorithm 1, line by line."""
    theta = dict(theta0)
    N = len(lists)
    for _ in range(cccp_iterations):
        hopes = [hope(name, theta, kbest, alpha, gamma) for kbest in lists]
        for _ in range(epochs):
            for kbest, plus in zip(lists, hopes, strict=True):
                minus = fear(name, theta, kbest, alpha)
                for k in theta:
                    theta[k] -= eta * C * (theta[k] - theta0[k]) / N
                for k, value in kbest[plus][0].items():
                    theta[k] += eta * value
                for k, value in kbest[minus][0].items():
                    theta[k] -= eta * value
    return theta
