"""Training of Wuebker et al. 2015 in slow, obvious loops: the twin of its loss and its solvers.

A list is a sequence of hypotheses; a hypothesis is a pair (features by name, gain).  The objective
O is to be maximised; scores are theta . f where the paper has -f.
"""

import math

from tests.naive.losses import softmax
from tests.naive.rampion import dot


def expectations(theta, kbest):
    """p_j of the hypotheses, and the expected gain <beta>_n."""
    p = softmax([dot(theta, features) for features, _ in kbest])
    return p, sum(q * gain for q, (_, gain) in zip(p, kbest, strict=True))


def objective(theta, lists, tau):
    """Eq. 9: log <beta> - tau sum theta^2."""
    mean = sum(expectations(theta, kbest)[1] for kbest in lists) / len(lists)
    return math.log(mean) - tau * sum(value * value for value in theta.values())


def gradient(theta, lists, tau):
    """Eq. 10, with Eq. 13 in two passes over each list."""
    beta = sum(expectations(theta, kbest)[1] for kbest in lists) / len(lists)
    slope = {name: -tau * 2 * value for name, value in theta.items()}
    for kbest in lists:
        p, mean = expectations(theta, kbest)
        for q, (features, gain) in zip(p, kbest, strict=True):
            for name, value in features.items():
                slope[name] += value * q * (gain - mean) / len(lists) / beta
    return slope


def sgd(theta, lists, tau, eta, iterations):
    """Eq. 3."""
    for _ in range(iterations):
        slope = gradient(theta, lists, tau)
        theta = {name: theta[name] + eta * slope[name] for name in theta}
    return theta


def adagrad(theta, lists, tau, eta, iterations):
    """Eq. 4, 5."""
    G = dict.fromkeys(theta, 0.0)
    for _ in range(iterations):
        slope = gradient(theta, lists, tau)
        G = {name: G[name] + slope[name] ** 2 for name in theta}
        theta = {
            name: theta[name] + (eta * G[name] ** -0.5 * slope[name] if G[name] else 0.0)
            for name in theta
        }
    return theta


def rprop(theta, lists, tau, first_step, iterations):
    """Section 4.2, word for word."""
    before, old = dict(theta), dict.fromkeys(theta, 0.0)
    step = dict.fromkeys(theta, first_step)
    for _ in range(iterations):
        slope = gradient(theta, lists, tau)
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
        before, theta, old = theta, new, slope
    return theta
