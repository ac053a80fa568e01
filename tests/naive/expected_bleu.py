"""Training of Wuebker et al. 2015 in slow, obvious loops: the twin of its loss and its solvers.

A list is a sequence of hypotheses; a hypothesis is a pair (features by name, gain).  The objective
O is to be maximised; scores are theta . f where the paper has -f.  Weights named in `fixed` (the
lambda of the dense models) are neither moved nor regularised.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from tests.naive.losses import softmax
from tests.naive.rampion import Hypothesis, dot

Theta = Mapping[str, float]
KBest = Sequence[Hypothesis]


def expectations(theta: Theta, kbest: KBest) -> tuple[list[float], float]:
    """p_j of the hypotheses, and the expected gain <beta>_n."""
    p = softmax([dot(theta, features) for features, _ in kbest])
    return p, sum(q * gain for q, (_, gain) in zip(p, kbest, strict=True))


def objective(
    theta: Theta, lists: Sequence[KBest], tau: float, fixed: Collection[str] = ()
) -> float:
    """Eq. 9: log <beta> - tau sum theta^2."""
    mean = sum(expectations(theta, kbest)[1] for kbest in lists) / len(lists)
    squares = sum(value * value for name, value in theta.items() if name not in fixed)
    return math.log(mean) - tau * squares


def differing(kbest: KBest) -> set[str]:
    """Names of the features that are not alike in all hypotheses of a list; none if gains are.

    The sum of Eq. 13 is 0 for the others, which floating point would give as 1e-17 of some sign.
    """
    if len({gain for _, gain in kbest}) == 1:
        return set()
    names = {name for features, _ in kbest for name in features}
    return {name for name in names if len({features.get(name, 0) for features, _ in kbest}) > 1}


def gradient(
    theta: Theta, lists: Sequence[KBest], tau: float, fixed: Collection[str] = ()
) -> dict[str, float]:
    """Eq. 10, with Eq. 13 in two passes over each list."""
    beta = sum(expectations(theta, kbest)[1] for kbest in lists) / len(lists)
    slope = {name: 0.0 if name in fixed else -tau * 2 * v for name, v in theta.items()}
    for kbest in lists:
        p, mean = expectations(theta, kbest)
        moving = differing(kbest) - set(fixed)
        for q, (features, gain) in zip(p, kbest, strict=True):
            for name in features.keys() & moving:
                slope[name] += features[name] * q * (gain - mean) / len(lists) / beta
    return slope


def sgd(
    theta: Theta,
    lists: Sequence[KBest],
    tau: float,
    eta: float,
    iterations: int,
    fixed: Collection[str] = (),
) -> Theta:
    """Eq. 3."""
    for _ in range(iterations):
        slope = gradient(theta, lists, tau, fixed)
        theta = {name: theta[name] + eta * slope[name] for name in theta}
    return theta


def adagrad(
    theta: Theta,
    lists: Sequence[KBest],
    tau: float,
    eta: float,
    iterations: int,
    fixed: Collection[str] = (),
) -> Theta:
    """Eq. 4, 5."""
    G = dict.fromkeys(theta, 0.0)
    for _ in range(iterations):
        slope = gradient(theta, lists, tau, fixed)
        G = {name: G[name] + slope[name] ** 2 for name in theta}
        theta = {
            name: theta[name] + (eta * G[name] ** -0.5 * slope[name] if G[name] else 0.0)
            for name in theta
        }
    return theta


def fobos(
    theta: Theta,
    lists: Sequence[KBest],
    tau: float,
    eta: float,
    iterations: int,
    fixed: Collection[str] = (),
    adaptive: bool = False,
) -> Theta:
    """A step of the expectation alone, then the theta' that is least in |theta' - theta|^2 / 2 +

    rate * tau * theta'^2 (Duchi and Singer 2009), with Eq. 3's rate eta or Eq. 4's.
    """
    G = dict.fromkeys(theta, 0.0)
    for _ in range(iterations):
        slope = gradient(theta, lists, 0.0, fixed)
        new = {}
        for name in theta:
            G[name] += slope[name] ** 2
            rate = eta * (G[name] ** -0.5 if G[name] else 0.0) if adaptive else eta
            moved = theta[name] + rate * slope[name]
            new[name] = theta[name] if name in fixed else moved / (1 + 2 * tau * rate)
        theta = new
    return theta


def rprop(
    theta: Theta,
    lists: Sequence[KBest],
    tau: float,
    first_step: float,
    iterations: int,
    fixed: Collection[str] = (),
    reset: bool = False,
) -> Theta:
    """Section 4.2, word for word; reset: a gradient counts as 0 after its step was reverted."""
    before, old = theta, dict.fromkeys(theta, 0.0)
    step = dict.fromkeys(theta, first_step)
    for _ in range(iterations):
        slope = gradient(theta, lists, tau, fixed)
        new = {}
        for name in theta:
            turn = old[name] * slope[name]
            step[name] *= 1.2 if turn > 0 else 0.5 if turn < 0 else 1.0
            if turn < 0:
                new[name] = before[name]
            elif slope[name] > 0:
                new[name] = theta[name] + step[name]
            elif slope[name] < 0:
                new[name] = theta[name] - step[name]
            else:
                new[name] = theta[name]
            old[name] = 0.0 if turn < 0 and reset else slope[name]
        before, theta = theta, new
    return theta
