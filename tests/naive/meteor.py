"""METEOR the slow way: every alignment of two short texts, and the best of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

Mapping = tuple[int, int, int]
"""Word of the hypothesis, word of the reference, module: 1 exact, 2 stem, 3 synonym."""

Module = Callable[[str, str], int]
"""The module that maps two words, 0 for none."""


def alignments(hyp: Sequence[str], ref: Sequence[str], module: Module) -> Iterator[list[Mapping]]:
    """Yield every set of mappings in which a word is mapped to at most one word."""
    if not hyp:
        yield []
        return
    i = len(hyp) - 1
    for rest in alignments(hyp[:-1], ref, module):
        yield rest
        used = {j for _, j, _ in rest}
        for j, word in enumerate(ref):
            by = module(hyp[i], word)
            if by and j not in used:
                yield [*rest, (i, j, by)]


def crossings(mappings: Sequence[Mapping]) -> int:
    """Pairs of mappings that cross."""
    return sum((i - k) * (j - m) < 0 for i, j, _ in mappings for k, m, _ in mappings) // 2


def n_chunks(mappings: Sequence[Mapping]) -> int:
    """Runs of neighbours that are mapped to neighbours."""
    places = {(i, j) for i, j, _ in mappings}
    return sum((i - 1, j - 1) not in places for i, j in places)


def rank(mappings: Sequence[Mapping]) -> tuple[int, ...]:
    """What alignments are compared by, the lower the better."""
    order = []
    for module in (1, 2, 3):
        so_far = [mapping for mapping in mappings if mapping[2] <= module]
        order += [-len(so_far), crossings(so_far)]
    return (*order, n_chunks(mappings))


def best_rank(hyp: Sequence[str], ref: Sequence[str], module: Module) -> tuple[int, ...]:
    """Rank of the best alignment."""
    return min(map(rank, alignments(hyp, ref, module)))


def statistics(hyp: Sequence[str], ref: Sequence[str], module: Module) -> tuple[int, int, int, int]:
    """Matches, words of the hypothesis, words of the reference, chunks."""
    best = best_rank(hyp, ref, module)
    return -best[4], len(hyp), len(ref), best[-1]


def meteor(matches: int, hyp_length: int, ref_length: int, chunks: int) -> float:
    """The paper's formula, with its own numbers."""
    if matches == 0:
        return 0.0
    precision, recall = Fraction(matches, hyp_length), Fraction(matches, ref_length)
    mean = 10 * precision * recall / (recall + 9 * precision)
    penalty = Fraction(1, 2) * Fraction(chunks, matches) ** 3
    return float(mean * (1 - penalty))
