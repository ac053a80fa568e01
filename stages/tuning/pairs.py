"""Pairs of hypotheses for pairwise ranking (PRO; Hopkins and May 2011, section 3 and Figure 4).

Of every list, `pairs_sampled` pairs are drawn uniformly with replacement, those whose gains differ
by less than `min_difference` are dropped, and the `pairs_kept` of the largest differences remain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.growing import Column
from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.lists.formulas import Targets


@dataclass(frozen=True, slots=True)
class PairSampling:
    """Gamma 5000, Xi 50 and a difference of 0.05, as in the paper."""

    pairs_sampled: int = 5000
    pairs_kept: int = 50
    min_difference: float = 0.05
    seed: int = 1


PAPER = PairSampling()


def sample_list(gain: Floats, sampling: PairSampling, sid: int) -> tuple[Ints, Ints]:
    """Return the places of the better and of the worse hypotheses of a list, (n_pairs,) each."""
    # seeded by sentence, so that a list draws the same pairs whatever lists come before it
    rng = np.random.default_rng([sampling.seed, sid])
    a, b = rng.integers(len(gain), size=(2, sampling.pairs_sampled))
    difference = gain[a] - gain[b]
    enough = np.flatnonzero(np.abs(difference) >= sampling.min_difference)
    best = enough[np.argsort(-np.abs(difference[enough]), kind="stable")[: sampling.pairs_kept]]
    swap = difference[best] < 0
    return np.where(swap, b[best], a[best]), np.where(swap, a[best], b[best])


def with_pairs(targets: Targets, list_pointer: Ints, sid: Ints, sampling: PairSampling) -> Targets:
    """Return the targets with pairs sampled from every list; sid (n_lists,)."""
    counts, all_better, all_worse = Column(np.int64), Column(np.int64), Column(np.int64)
    for i, number in enumerate(sid.tolist()):
        better, worse = sample_list(
            targets.gain[list_pointer[i] : list_pointer[i + 1]], sampling, number
        )
        counts.append(len(better))
        all_better.extend(better)
        all_worse.extend(worse)
    return targets._replace(
        pair_pointer=pointer_of(counts.values), better=all_better.values, worse=all_worse.values
    )
