"""The losses of the table in slow, obvious Python: the twin of kernels/lists/list_losses.py.

A list is given by scores s, costs c, gains, and which hypotheses reach a reference.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence


def lse(values: Sequence[float]) -> float:
    top = max(values)
    return top + math.log(sum(math.exp(v - top) for v in values))


def softmax(values: Sequence[float]) -> list[float]:
    total = lse(values)
    return [math.exp(v - total) for v in values]


def loss_of_list(
    name: str,
    s: Sequence[float],
    c: Sequence[float],
    gain: Sequence[float],
    reaches: Sequence[bool],
    pairs: Sequence[tuple[int, int]] = (),
    gamma: float = 1.0,
) -> float | None:
    """Loss of one list by Gimpel & Smith's equations; None where it is skipped."""
    hope = [a - b for a, b in zip(s, c, strict=True)]
    fear = [a + b for a, b in zip(s, c, strict=True)]
    reached = [a for a, r in zip(s, reaches, strict=True) if r]
    least = s[min(range(len(c)), key=lambda j: (c[j], j))]
    if name in ("log", "latent-log", "perceptron", "hinge", "softmax-margin") and not reached:
        return None
    losses: dict[str, Callable[[], float]] = {
        "log": lambda: -max(reached) + lse(s),
        "bayes-risk": lambda: sum(p * b for p, b in zip(softmax(s), c, strict=True)),
        "squared-gain": lambda: sum((a - b) ** 2 for a, b in zip(s, gain, strict=True)),
        "ramp1": lambda: -max(s) + max(fear),
        "ramp2": lambda: -max(hope) + max(s),
        "ramp3": lambda: -max(hope) + max(fear),
        "perceptron": lambda: -max(reached) + max(s),
        "perceptron-kbest": lambda: -least + max(s),
        "perceptron-gamma": lambda: -max(a - gamma * b for a, b in zip(s, c, strict=True)) + max(s),
        "hinge": lambda: -max(reached) + max(fear),
        "hinge-kbest": lambda: -least + max(fear),
        "soft-ramp1": lambda: -lse(s) + lse(fear),
        "soft-ramp2": lambda: -lse(hope) + lse(s),
        "soft-ramp3": lambda: -lse(hope) + lse(fear),
        "log-kbest": lambda: -max(hope) + lse(s),
        "latent-log": lambda: -lse(reached) + lse(s),
        "softmax-margin": lambda: -max(reached) + lse(fear),
        "softmax-margin-kbest": lambda: -least + lse(fear),
        "pairwise": lambda: sum(math.log(1 + math.exp(-(s[a] - s[b]))) for a, b in pairs),
    }
    return losses[name]()


def expected_bleu(lists: Sequence[tuple[Sequence[float], Sequence[float]]]) -> float:
    """-log of the mean expected gain (Wuebker et al. 2015, Eq. 8, 9) of (scores, gains) pairs."""
    expected = [sum(p * b for p, b in zip(softmax(s), gain, strict=True)) for s, gain in lists]
    return -math.log(sum(expected) / len(expected))
