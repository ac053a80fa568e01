"""Tests of the difference between two systems, from the sentences' sufficient statistics.

    bootstrap       n sentences drawn with replacement, the same for both systems  (Koehn 2004)
    randomisation   the outputs of every sentence dealt out anew to the systems
                                                  (Riezler and Maxwell 2005; Clark et al. 2011)

Sums of statistics are exact: whole numbers far below 2^53.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from campanula.formats.arrays.types import Floats, Ints


def bootstrap_sums(stats: Ints, samples: int, rng: np.random.Generator) -> Ints:
    """Sums (samples, w) of statistics (n, w) over n sentences drawn with replacement.

    Columns of both systems side by side are paired: they see the same sentences.  The draws are
    those of sacrebleu for the same generator.
    """
    n, width = stats.shape
    sums = np.empty((samples, width), np.int64)
    for i in range(samples):
        sums[i] = np.bincount(rng.choice(n, size=n), minlength=n) @ stats
    return sums


def dealt_sums(
    sentences: Iterable[Ints], first: int, trials: int, rng: np.random.Generator
) -> Ints:
    """Sums (trials, w) of the statistics dealt to the first system in each trial.

    `sentences` are the statistics (n_outputs, w) of every sentence's outputs, of both systems; the
    first system gets `first` of them, and every choice is as likely.  No sentence gives no rows.
    """
    sums: Floats | None = None
    for rows in sentences:
        dealt = deal(len(rows), first, trials, rng) @ rows.astype(np.float64)
        sums = dealt if sums is None else np.add(sums, dealt, out=sums)
    return np.zeros((0, 0), np.int64) if sums is None else sums.astype(np.int64)


def deal(n: int, chosen: int, trials: int, rng: np.random.Generator) -> Floats:
    """Choose `chosen` of n in every trial: (trials, n), 1 where chosen (Knuth's Algorithm S).

    An item is taken with probability (still to choose) / (items left).
    """
    taken = np.empty((n, trials))
    wanted = np.full(trials, float(chosen))
    for i in range(n):
        taken[i] = rng.random(trials) * (n - i) < wanted
        wanted -= taken[i]
    return taken.T


def p_value(chance: Floats, found: float) -> float:
    """Probability of a difference above `found`, from differences that are there by chance.

    One is added above and below, so that it is never 0 (Morgan, as in MultEval and sacrebleu).
    """
    return (int(np.count_nonzero(chance > found)) + 1) / (len(chance) + 1)
