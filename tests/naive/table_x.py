"""Table X of Tillmann and Zhang, on problems small enough to enumerate V(S): exact minimisation.

A sentence has a few positions, each with some blocks; V(S) is every choice of them, in order.  A
hypothesis z has F(z), a count of its blocks and of pairs of classes of neighbours, and a gain, how
many of its words are the reference's.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize, nnls

from campanula.formats.arrays.types import Floats

PAIRS_OF_CLASSES = 4


@dataclass(frozen=True)
class Sentence:
    """Features (n, M) and gains (n,) of all of V(S), of which the first K are the truth V_K."""

    F: Floats
    b: Floats
    K: int


Members = Mapping[tuple[int, int], Sequence[int]]
"""Places in V(S) of the alternatives that truth k of sentence i has, by (i, k)."""


def enumerated(
    seed: int, n_sentences: int = 3, positions: int = 3, choices: int = 3, K: int = 2
) -> list[Sentence]:
    """Sentences with all their hypotheses, best gain first, that share blocks' features."""
    rng = np.random.default_rng(seed)
    n_blocks = 6
    sentences = []
    for _ in range(n_sentences):
        options = [rng.choice(n_blocks, choices, replace=False) for _ in range(positions)]
        right = [int(rng.choice(option)) for option in options]
        weight = rng.random(positions) + 0.5
        rows, gains = [], []
        for z in itertools.product(*options):
            x = np.zeros(n_blocks + PAIRS_OF_CLASSES)
            for block in z:
                x[block] += 1.0
            for one, other in itertools.pairwise(z):
                x[n_blocks + 2 * (one % 2) + other % 2] += 1.0
            rows.append(x)
            matched = [w for block, r, w in zip(z, right, weight, strict=True) if block == r]
            gains.append(sum(matched) / weight.sum())
        order = np.argsort(-np.array(gains), kind="stable")
        sentences.append(Sentence(np.array(rows)[order], np.array(gains)[order], K))
    return sentences


def psi(w: Floats, sentence: Sentence, k: int) -> tuple[Floats, Floats]:
    """Eq. 4 for truth k against each of V(S): (b - b')(1 - (s - s'))_+^2, and gradients (n, M)."""
    y = sentence.F[k] - sentence.F
    gain = sentence.b[k] - sentence.b
    below = np.maximum(0.0, 1.0 - y @ w)
    return gain * below**2, -2.0 * (gain * below)[:, None] * y


def objective(w: Floats, sentences: Sequence[Sentence], members: Members, penalty: float) -> float:
    """Q of Eq. 5: members[i, k] are the alternatives that truth k of sentence i knows."""
    total = 0.0
    for (i, k), places in members.items():
        if places:
            total += psi(w, sentences[i], k)[0][places].max() / (sentences[i].K * len(sentences))
    return float(total + penalty * w @ w)


def minimum(
    sentences: Sequence[Sentence], members: Members, penalty: float, start: Floats
) -> tuple[Floats, float]:
    """argmin Q, and how far Q can be above its minimum at most.

    As a smooth problem: min sum t + penalty w^2 with t_ik at least each psi of i and k.
    """
    known = [(i, k, places) for (i, k), places in members.items() if places]
    M, scale = len(start), [1.0 / (sentences[i].K * len(sentences)) for i, _, _ in known]

    def values(w: Floats) -> list[Floats]:
        return [psi(w, sentences[i], k)[0][places] for i, k, places in known]

    def above(x: Floats) -> Floats:
        return np.concatenate([t - v for t, v in zip(x[M:], values(x[:M]), strict=True)])

    def slopes(x: Floats) -> Floats:
        rows = []
        for place, (i, k, places) in enumerate(known):
            gradient = psi(x[:M], sentences[i], k)[1][places]
            t = np.zeros((len(places), len(known)))
            t[:, place] = 1.0
            rows.append(np.hstack([-gradient, t]))
        return np.vstack(rows)

    def cost(x: Floats) -> float:
        return float(penalty * x[:M] @ x[:M] + np.dot(scale, x[M:]))

    def cost_slope(x: Floats) -> Floats:
        return np.concatenate([2.0 * penalty * x[:M], scale])

    x = np.concatenate([start, [v.max() for v in values(start)]])
    constraint = {"type": "ineq", "fun": above, "jac": slopes}
    for _ in range(5):  # SLSQP may stop early; from where it stopped it goes on
        x = minimize(
            cost, x, jac=cost_slope, constraints=constraint, method="SLSQP",
            options={"ftol": 1e-15, "maxiter": 500},
        ).x  # fmt: skip
        x[M:] = [v.max() for v in values(x[:M])]
    return x[:M], gap(x[:M], sentences, known, penalty)


def gap(
    w: Floats,
    sentences: Sequence[Sentence],
    known: Sequence[tuple[int, int, Sequence[int]]],
    penalty: float,
    near: float = 1e-6,
) -> float:
    """A bound of Q(w) - min Q by duality.

    Any mean of psi's instead of their maximum is a lower bound L of Q, which is convex with
    curvature 2 penalty: min Q >= L(w) - |grad L(w)|^2 / (4 penalty).
    """
    columns, rest, group = [], [], []
    for number, (i, k, places) in enumerate(known):
        value, gradient = psi(w, sentences[i], k)
        scale = 1.0 / (sentences[i].K * len(sentences))
        top = value[places].max()
        for m in places:
            if value[m] >= top - near:
                columns.append(scale * gradient[m])
                rest.append(scale * (top - value[m]))
                group.append(number)
    weight = 1e3  # of the means, each of which adds up to 1
    means = np.equal.outer(np.arange(len(known)), group).astype(float)
    matrix = np.vstack([np.array(columns).T, weight * means])
    aim = np.concatenate([-2.0 * penalty * w, np.full(len(known), weight)])
    share, _ = nnls(matrix, aim)
    share /= (means * share).sum(axis=1)[group]
    slope = np.array(columns).T @ share + 2.0 * penalty * w
    return float(np.dot(rest, share) + slope @ slope / (4.0 * penalty))


@dataclass(frozen=True)
class Iteration:
    """What an iteration l of Table X comes to.

    delta: inf Q - Q_l(w_l); distance: |w_l - w^|; M: Lemma 2's, with lambda w as printed and with
    2 lambda w; at_zero: Q_l(0); gap: how exact it is.
    """

    delta: float
    distance: float
    M: tuple[float, float]
    at_zero: float
    gap: float


def table_x(sentences: Sequence[Sentence], penalty: float, iterations: int) -> Iterator[Iteration]:
    """Run Table X; yields l = 0, 1, ..., of which l = 0 knows no alternative."""
    everything = {
        (i, k): list(range(s.K, len(s.b))) for i, s in enumerate(sentences) for k in range(s.K)
    }
    w = np.zeros(sentences[0].F.shape[1])
    best, exact = minimum(sentences, everything, penalty, w)
    lowest = objective(best, sentences, everything, penalty)
    members: dict[tuple[int, int], list[int]] = {key: [] for key in everything}
    yield Iteration(lowest, float(np.linalg.norm(w - best)), (0.0, 0.0), 0.0, exact)
    for _ in range(iterations):
        largest = [0.0, 0.0]
        for (i, k), places in members.items():
            value, gradient = psi(w, sentences[i], k)
            z = sentences[i].K + int(value[sentences[i].K :].argmax())
            for variant in (0, 1):
                slope = np.linalg.norm(gradient[z] + (1 + variant) * penalty * w)
                largest[variant] = max(largest[variant], float(slope))
            if z not in places:
                places.append(z)
        at_zero = objective(np.zeros_like(w), sentences, members, penalty)
        w, exact = minimum(sentences, members, penalty, w)
        delta = lowest - objective(w, sentences, members, penalty)
        distance = float(np.linalg.norm(w - best))
        yield Iteration(delta, distance, (largest[0], largest[1]), at_zero, exact)


def lemma_2(iterations: Sequence[Iteration], penalty: float, variant: int) -> list[float]:
    """Its bound on delta_l, l = 1, 2, ...; variant 0: lambda w as printed, 1: 2 lambda w."""
    return [
        max(0.5 * b.delta, b.delta - 0.25 * penalty * b.delta**2 / now.M[variant] ** 2)
        for b, now in itertools.pairwise(iterations)
    ]


def theorem_1(
    iterations: Sequence[Iteration], penalty: float, variant: int
) -> list[tuple[float, float] | None]:
    """Its bounds on delta_l and |w_l - w^|, l = 1, 2, ...; None before l*."""
    A = 2.0 * max(now.M[variant] for now in iterations) ** 2 / penalty
    first = max(0.0, np.log2(iterations[1].at_zero / A))
    found = []
    for number in range(1, len(iterations)):
        delta = 2.0 * A / (number - first + 2.0)
        found.append((delta, float(np.sqrt(delta / penalty))) if number >= first else None)
    return found
