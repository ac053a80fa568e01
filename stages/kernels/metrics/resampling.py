"""Resampling of the sentences' sufficient statistics, of which a system's are the sum.

    bootstrap       n sentences drawn with replacement, the same for all systems   (Koehn 2004)
    randomisation   the outputs of every sentence dealt out anew to two systems
                                                  (Riezler and Maxwell 2005; Clark et al. 2011)

A system that has a of a sentence's r outputs can be dealt them in (r choose a) ways, and only a
sentence whose outputs differ is dealt at all.  Of all such sentences there are `ways` deals in
sum: few are all tried; of many some are drawn, a group of sentences at a time, whose sums stand in
a table of which a trial takes a row.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from math import comb

import numpy as np

from campanula.formats.arrays.types import Floats, Ints

TABLE = 1 << 10  # rows of a table of sums: larger ones are not in the processor's cache
DRAWN = 1 << 20  # sentences drawn at once
EXACT = 1 << 53  # whole numbers up to here are exact as floats, whose products are fast
TOLERANCE = 1e-12  # of values about 1: differences that are as close are the same


def bootstrap_sums(stats: Ints, samples: int, rng: np.random.Generator) -> Iterator[Ints]:
    """Yield sums (some samples, w) of statistics (n, w) over n sentences drawn with replacement.

    Columns of several systems side by side are paired: they see the same sentences.  The draws are
    those of sacrebleu for the same generator.
    """
    n, _ = stats.shape
    exact = n * int(np.abs(stats).max(initial=0)) < EXACT
    rows = stats.astype(np.float64) if exact else stats
    step = max(1, DRAWN // n)
    for start in range(0, samples, step):
        size = min(step, samples - start)
        drawn = rng.integers(n, size=(size, n)) + np.arange(size)[:, None] * n
        counts = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n)
        yield (counts.astype(rows.dtype) @ rows).astype(np.int64)


def differing(pool: Ints) -> Ints:
    """Places of the sentences of a pool (n, r, w) whose r outputs have not the same statistics."""
    return np.flatnonzero((pool != pool[:, :1]).any(axis=(1, 2)))


def ways(sentences: int, outputs: int, first: int) -> int:
    """In how many ways outputs can be dealt, `first` of each sentence's to the first system."""
    return int(comb(outputs, first) ** sentences)


def all_sums(pool: Ints, first: int) -> Ints:
    """Sums (ways, w) of every way to deal out a pool (n, r, w); the first is the one there is."""
    choices = _choices(pool.shape[1], first)
    sums = np.zeros((1, pool.shape[2]), np.int64)
    for rows in pool:
        sums = (sums[:, None] + choices @ rows).reshape(-1, pool.shape[2])
    return sums


def _choices(n: int, chosen: int) -> Ints:
    """Every choice of so many of n: (choices, n), 1 where chosen; the first ones come first."""
    places = list(itertools.combinations(range(n), chosen))
    taken = np.zeros((len(places), n), np.int64)
    for row, place in zip(taken, places, strict=True):
        row[list(place)] = 1
    return taken


def groups(pool: Ints, first: int) -> list[Ints]:
    """A pool (n, r, w) in groups of sentences, each as large as a table of its sums may be."""
    size = 1
    while ways(size + 1, pool.shape[1], first) <= TABLE and size < len(pool):
        size += 1
    return [pool[start : start + size] for start in range(0, len(pool), size)]


def dealt_sums(pools: Iterable[Ints], first: int, trials: int, rng: np.random.Generator) -> Ints:
    """Sums (trials, w) that trials deal to the first system from groups of sentences (n, r, w).

    Every way is as likely.  No group gives no columns.
    """
    sums: Ints | None = None
    for pool in pools:
        dealt = _dealt(pool, first, trials, rng)
        sums = dealt if sums is None else np.add(sums, dealt, out=sums)
    return np.zeros((trials, 0), np.int64) if sums is None else sums


def _dealt(pool: Ints, first: int, trials: int, rng: np.random.Generator) -> Ints:
    """Sums (trials, w) of a group: rows of its table, unless one sentence has too many ways."""
    n, outputs, _ = pool.shape
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
    taken = np.empty((n, trials), np.int64)
    wanted = np.full(trials, chosen, np.int64)
    for i in range(n):
        taken[i] = rng.random(trials) * (n - i) < wanted
        wanted -= taken[i]
    return taken.T


def as_large(chance: Floats, difference: float, scale: float = 1.0) -> int:
    """How many differences by chance (m,), in absolute value, are as large as the one there is.

    scale is the size of the values: what is within TOLERANCE of it is equal, so that the same
    difference counts whatever it was summed from.
    """
    least = abs(difference) - TOLERANCE * max(1.0, scale)
    return int(np.count_nonzero(np.abs(chance) >= least))
