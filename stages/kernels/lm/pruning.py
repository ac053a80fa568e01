"""N-grams that a model leaves out because the text has them too rarely.

As KenLM's lmplz prunes: an n-gram of length n is left out if it occurs at most `threshold[n - 1]`
times, whatever its count c in the estimate is; the words <unk>, <s> and </s> stay.  Discounts are
estimated from the counts of all n-grams.  An n-gram left out gives its whole count to the back-off:

    gamma(h) = (sum_{kept v} D(c(h v)) + sum_{pruned v} c(h v)) / sum_v c(h v)

so that the model sums to one (Heafield, Pouzyrevsky, Clark and Koehn 2013; the formula is that of
its program).  Thresholds do not fall with n, so prefixes and suffixes of kept n-grams are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from campanula.formats.arrays.types import Flags, Ints
from campanula.stages.kernels.lm.kneser_ney import Counts, Order, Specials


def kept_ngrams(
    counts: Sequence[Counts], specials: Specials, thresholds: Sequence[int]
) -> list[Flags]:
    """Return which n-grams (K,) of each length stay, by how often they occur (Counts.times)."""
    kept = list[Flags]()
    # not strict: a text of short sentences has fewer lengths than there are thresholds
    for level, threshold in zip(counts, thresholds, strict=False):
        # a word of the vocabulary may occur 0 times; threshold 0 keeps it, too
        kept.append((level.times > threshold) | (threshold == 0))
    kept[0][[specials.unk, specials.bos, specials.eos]] = True
    return kept


def without_pruned(orders: Sequence[Order], kept: Sequence[Flags]) -> list[Order]:
    """Return the n-grams that stay, with new numbers of prefixes and words.

    The result ends before the first length of which no n-gram stays.
    """
    number = [np.cumsum(flags) - 1 for flags in kept]
    remaining = list[Order]()
    prefixes: Ints = np.zeros(1, np.int64)
    for order, flags, own in zip(orders, kept, number, strict=True):
        if not flags.any():
            break
        remaining.append(
            replace(
                order,
                prefix=prefixes[order.prefix[flags]],
                word=number[0][order.word[flags]],
                log_prob=order.log_prob[flags],
                log_backoff=order.log_backoff[flags],
            )
        )
        prefixes = own
    return remaining
