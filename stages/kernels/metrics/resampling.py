"""Resampling of sentences' sufficient statistics; a system's statistics are the sum of them.

    bootstrap       n sentences drawn with replacement, the same for all systems   (Koehn 2004)
    randomisation   the outputs of every sentence dealt out anew to two systems
                                                  (Riezler and Maxwell 2005; Clark et al. 2011)

A system with a of a sentence's r outputs can be dealt them in (r choose a) ways; only sentences
whose outputs differ are dealt.  All of them together can be dealt in `ways` ways: if these are few,
all are tried; if they are many, some are drawn.  Drawing works on groups of sentences: the sums of
all deals of a group are a table, and a trial takes one of its rows.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from math import comb

import numpy as np

from campanula.formats.arrays.types import Floats, Ints

TABLE = 1 << 10  # rows of a table of sums: larger tables do not fit into the processor's cache
DRAWN = 1 << 20  # sentences drawn at once: 8 MB a temporary array
EXACT = 1 << 53  # integers up to here are exact as floats, whose matrix products are fast (BLAS)
TOLERANCE = 1e-12  # of values about 1: differences closer than this count as equal


def bootstrap_sums(stats: Ints, samples: int, rng: np.random.Generator) -> Iterator[Ints]:
    """Yield sums (s, w) of statistics (n, w) over n sentences drawn with replacement.

    There are `samples` rows in all, s of them at a time.  Columns of several systems side by side
    are paired: all are summed over the same sentences.  The draws are those of sacrebleu for the
    same generator.
    """
    n, _ = stats.shape
    exact = n * int(np.abs(stats).max(initial=0)) < EXACT
    rows = stats.astype(np.float64) if exact else stats
    step = max(1, DRAWN // n)
    for start in range(0, samples, step):
        size = min(step, samples - start)
        # drawing a sentence k times is a weight k: one matrix product sums all samples
        drawn = rng.integers(n, size=(size, n)) + np.arange(size)[:, None] * n
        counts = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n)
        yield (counts.astype(rows.dtype) @ rows).astype(np.int64)


def differing(pool: Ints) -> Ints:
    """Places of the sentences of a pool (n, r, w) whose r outputs differ in their statistics."""
    return np.flatnonzero((pool != pool[:, :1]).any(axis=(1, 2)))


def ways(sentences: int, outputs: int, first: int) -> int:
    """Return in how many ways outputs can be dealt, `first` a sentence to the first system."""
    return int(comb(outputs, first) ** sentences)


def all_sums(pool: Ints, first: int) -> Ints:
    """Sums (ways, w) of every way to deal out a pool (n, r, w); row 0 is the observed deal."""
    choices = _choices(pool.shape[1], first)
    sums = np.zeros((1, pool.shape[2]), np.int64)
    for rows in pool:
        sums = (sums[:, None] + choices @ rows).reshape(-1, pool.shape[2])
    return sums


def _choices(n: int, chosen: int) -> Ints:
    """Every choice of `chosen` of n: (choices, n), 1 where chosen; row 0 has the first items."""
    places = list(itertools.combinations(range(n), chosen))
    choice = np.zeros((len(places), n), np.int64)
    for row, place in zip(choice, places, strict=True):
        row[list(place)] = 1
    return choice


def groups(pool: Ints, first: int) -> list[Ints]:
    """Split a pool (n, r, w) into groups of sentences, the largest with tables of TABLE rows."""
    size = 1
    while ways(size + 1, pool.shape[1], first) <= TABLE and size < len(pool):
        size += 1
    return [pool[start : start + size] for start in range(0, len(pool), size)]


def dealt_sums(pools: Iterable[Ints], first: int, trials: int, rng: np.random.Generator) -> Ints:
    """Sums (trials, w) that trials deal to the first system from groups of sentences (n, r, w).

    All ways are equally likely.  Without any group the result is (trials, 0).
    """
    sums: Ints | None = None
    for pool in pools:
        dealt = _dealt(pool, first, trials, rng)
        sums = dealt if sums is None else np.add(sums, dealt, out=sums)
    return np.zeros((trials, 0), np.int64) if sums is None else sums


def _dealt(pool: Ints, first: int, trials: int, rng: np.random.Generator) -> Ints:
    """Sums (trials, w) of a group: random rows of its table."""
    n, outputs, _ = pool.shape
    # one sentence with more ways than a table may have rows: deal its outputs one by one
    if ways(n, outputs, first) > TABLE:
        sums: Ints = deal(outputs, first, trials, rng) @ pool[0]
        return sums
    table = all_sums(pool, first)
    sums = table[rng.integers(len(table), size=trials)]
    return sums


def deal(n: int, chosen: int, trials: int, rng: np.random.Generator) -> Ints:
    """Choose `chosen` of n in every trial: (trials, n), 1 where chosen (Knuth's Algorithm S).

    An item is taken with probability (still to choose) / (items left).
    """
    choice = np.empty((n, trials), np.int64)
    wanted = np.full(trials, chosen, np.int64)
    for i in range(n):
        choice[i] = rng.random(trials) * (n - i) < wanted
        wanted -= choice[i]
    return choice.T


def as_large(chance: Floats, difference: float, scale: float = 1.0) -> int:
    """Return how many differences by chance (m,) are as large, in absolute value, as `difference`.

    scale is the size of the values: a chance that is smaller by TOLERANCE times scale counts as
    equal, because equal differences may round differently.
    """
    least = abs(difference) - TOLERANCE * max(1.0, scale)
    return int(np.count_nonzero(np.abs(chance) >= least))
