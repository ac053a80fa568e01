"""Tables II and III of Tillmann and Zhang, and its Eq. 7, with dictionaries, line by line.

A hypothesis is (text, x, B): its text, its features that are not 0 as a map, and its gain.  A
sentence is (V_K, V_rel): its truths, and the union of its lists in the order in which they came.
The one thing that is no reading of the paper is the order of a sum, which decides ties that are
none in exact arithmetic: a score adds features with a value, then those of value 1, each by the
order of `features`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence

import numpy as np

Vector = Mapping[str, float]
Hypothesis = tuple[str, Vector, float]
Sentence = tuple[Sequence[Hypothesis], Sequence[Hypothesis]]
Ranks = Mapping[str, int]


def union(lists: Iterable[Iterable[Hypothesis]]) -> list[Hypothesis]:
    """The relevant set of lists of hypotheses: what equals an earlier one is not added again."""
    members: list[Hypothesis] = []
    for hypotheses in lists:
        for hypothesis in hypotheses:
            if hypothesis not in members:
                members.append(hypothesis)
    return members


def ranks(features: Iterable[str]) -> dict[str, int]:
    """The place of each feature in the order of a sum."""
    return {f: rank for rank, f in enumerate(features)}


def score(w: Vector, x: Vector, rank: Ranks) -> float:
    """s_w(z) = w . F(z) (Eq. 1)."""
    total = 0.0
    for f in sorted(x, key=lambda f: (x[f] == 1.0, rank[f])):
        total += w[f] * x[f]
    return total


def first_of_largest(values: Sequence[float]) -> int:
    """Place of the first of the largest numbers."""
    return max(range(len(values)), key=lambda m: (values[m], -m))


def orders(
    n: int, epochs: int, shuffle: bool, seed: int, block: int | None = None
) -> Iterator[list[int]]:
    """The order of the sentences in each of the R online iterations; block: random in blocks."""
    rng = np.random.default_rng(seed)
    for _ in range(epochs):
        if not shuffle:
            yield list(range(n))
        elif block is None:
            yield rng.permutation(n).tolist()
        else:
            order: list[int] = []
            for b in rng.permutation(-(-n // block)):
                sentences = range(n)[b * block : (b + 1) * block]
                order += [sentences[k] for k in rng.permutation(len(sentences))]
            yield order


def step(
    w: MutableMapping[str, float], x_s: Vector, x_t: Vector, size: float, free: Collection[str]
) -> None:
    """w <- w + size (x_s - x_t), where free."""
    for f in {**x_s, **x_t}:
        difference = x_s.get(f, 0.0) - x_t.get(f, 0.0)
        if difference != 0.0 and f in free:
            w[f] += size * difference


def shrink(w: MutableMapping[str, float], factor: float, free: Iterable[str]) -> None:
    """The step of lambda w^2."""
    for f in free:
        w[f] *= factor


def pick(
    w: Vector,
    truth: Hypothesis,
    alternatives: Sequence[Hypothesis],
    features: Iterable[str],
    update: str,
    printed_sign: bool = False,
) -> tuple[Hypothesis, float]:
    """The alternative that violates most against a truth, and how much it does."""
    _, x_s, b_s = truth
    values, rank = [], features if isinstance(features, dict) else ranks(features)
    score_s = score(w, x_s, rank)
    for _, x, b in alternatives:
        margin = score_s - score(w, x, rank)
        if update == "table2":  # section IV: l(z', z) = -(B(z') - B(z)) (s(z') - s(z) - 1)
            values.append((b_s - b) * (1.0 - margin))
        elif update == "eq7":  # Eq. 4
            values.append((b_s - b) * max(0.0, 1.0 - margin) ** 2)
        else:  # Table III
            values.append(-margin)
    signed = [-value for value in values] if printed_sign else values
    t = first_of_largest(signed)
    return alternatives[t], values[t]


def pairs(sentence: Sentence, update: str) -> list[tuple[Hypothesis, Sequence[Hypothesis]]]:
    """Each truth that counts with its alternatives."""
    truths, members = sentence
    if update != "eq7":
        known = truths or members
        return [(known[first_of_largest([b for _, _, b in known])], members)]
    if not truths:
        truths = [members[first_of_largest([b for _, _, b in members])]]
    return [(truth, [z for z in members if z not in truths]) for truth in truths]


def train(
    sentences: Sequence[Sentence],
    w0: Vector,
    features: Iterable[str],
    update: str,
    *,
    epochs: int = 40,
    eta: float = 1e-4,
    shuffle: bool = True,
    seed: int = 1,
    printed_sign: bool = False,
    penalty: float = 0.0,
    free: Iterable[str] | None = None,
    block: int | None = None,
) -> dict[str, float]:
    """The online training step of an iteration l, from w0 on; update: table2, eq7 or perceptron."""
    w, free = dict(w0), set(features) if free is None else set(free)
    rank = ranks(features)
    for order in orders(len(sentences), epochs, shuffle, seed, block):
        for i in order:
            found = pairs(sentences[i], update)
            steps = []
            for truth, alternatives in found:
                if not alternatives:
                    continue
                other, _ = pick(w, truth, alternatives, rank, update, printed_sign)
                (_, x_s, b_s), (_, x_t, b_t) = truth, other
                size = eta
                if update != "perceptron":
                    size *= b_s - b_t
                if update == "eq7":
                    margin = score(w, x_s, rank) - score(w, x_t, rank)
                    size *= max(0.0, 1.0 - margin) / len(found)
                steps.append((x_s, x_t, size))
            if penalty:
                shrink(w, 1.0 - eta * penalty * (1.0 if update == "eq7" else 2.0), free)
            for x_s, x_t, size in steps:
                step(w, x_s, x_t, size, free)
    return w


def objective(
    sentences: Sequence[Sentence],
    w: Vector,
    features: Iterable[str],
    update: str,
    *,
    printed_sign: bool = False,
    penalty: float = 0.0,
    free: Iterable[str] | None = None,
) -> float:
    """Eq. 5 at w; of table2 and the perceptron what their steps go down."""
    total, rank = 0.0, ranks(features)
    for sentence in sentences:
        found = pairs(sentence, update)
        for truth, alternatives in found:
            if alternatives:
                value = pick(w, truth, alternatives, rank, update, printed_sign)[1]
                total += value / len(found)
    squares = sum(w[f] ** 2 for f in (features if free is None else free))
    return total / len(sentences) + penalty * squares
