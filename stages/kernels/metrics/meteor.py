r"""METEOR of alignments: of a sentence against its best reference, and of summed statistics.

    P = m / c,  R = m / r,  F = P R / (alpha P + (1 - alpha) R)
    METEOR = F (1 - gamma (chunks / m)^beta)                        (Banerjee and Lavie 2005)

of m words that the alignment maps (alignment.py), c words of the hypothesis and r of the reference.
The paper's numbers are alpha 0.9, F = 10 P R / (R + 9 P), beta 3 and gamma 0.5.  METEOR without a
match is 0.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Floats, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.metrics.alignment import (
    BEAM,
    least_cost,
    matches_by_words,
    pair_of,
)
from campanula.stages.kernels.metrics.alignment_states import CHUNKS, LEFT, new_layer, new_step

MATCHES, HYP_LENGTH, REF_LENGTH, N_CHUNKS, WIDTH = range(5)
"""Columns of METEOR's statistics."""

ALPHA, BETA, GAMMA = range(3)


@njit(**LEAN)
def _meteor(stats: Ints, settings: Floats) -> float:
    """METEOR in [0, 1] of statistics (4,); settings are alpha, beta and gamma."""
    matches = float(stats[MATCHES])
    if matches == 0.0:
        return 0.0
    precision, recall = matches / stats[HYP_LENGTH], matches / stats[REF_LENGTH]
    alpha = settings[ALPHA]
    mean = precision * recall / (alpha * precision + (1.0 - alpha) * recall)
    return float(mean * (1.0 - settings[GAMMA] * (stats[N_CHUNKS] / matches) ** settings[BETA]))


@njit(**LEAN)
def _fill_meteor(stats: Ints, settings: Floats, value: Floats) -> None:
    for j in range(len(stats)):
        value[j] = _meteor(stats[j], settings)


def meteor(stats: Ints, settings: Floats) -> Floats:
    """METEOR (n,) of statistics (n, 4): matches, lengths of hypothesis and reference, chunks."""
    value = np.empty(len(stats))
    _fill_meteor(stats, settings, value)
    return value


@njit(cache=True, nogil=True)
def meteor_statistics(
    hyp: Ids, hyp_end: Ints, ref: Ids, ref_end: Ints, kind: Bytes, stem: Ids, settings: Floats
) -> Ints:
    """Statistics (n_hyps, 4) against the reference of highest METEOR; the first of several.

    Sequence j of word types is hyp[hyp_end[j]:hyp_end[j + 1]], and references alike; kind (n_types,
    n_ref_types) says which module maps a word to one of a reference, stem (n_types,) numbers stems.
    """
    # layers for the longest reference serve all pairs of texts
    longest = 0
    for r in range(len(ref_end) - 1):
        longest = max(longest, ref_end[r + 1] - ref_end[r])
    one = new_layer(BEAM, longest)
    two = new_layer(BEAM, longest)
    step = new_step(longest)
    n_stems = 0
    for number in stem:
        n_stems = max(n_stems, number + 1)
    stats = np.zeros((len(hyp_end) - 1, WIDTH), np.int64)
    against = np.zeros(WIDTH, np.int64)
    for j in range(len(stats)):
        highest = -1.0  # below 0, so that a hypothesis without a match gets the first reference
        words = hyp[hyp_end[j] : hyp_end[j + 1]]
        for r in range(len(ref_end) - 1):
            pair = pair_of(words, ref[ref_end[r] : ref_end[r + 1]], kind, stem, n_stems)
            least_cost(pair, one, two, step)
            # LEFT is minus the number of synonyms, so that more of them cost less
            against[MATCHES] = matches_by_words(pair) - step.bound[LEFT]
            against[HYP_LENGTH] = len(words)
            against[REF_LENGTH] = len(pair.ref)
            against[N_CHUNKS] = step.bound[CHUNKS]
            value = _meteor(against, settings)
            if value > highest:
                highest = value
                stats[j] = against
    return stats
