"""Pairs of hypotheses for pairwise ranking (PRO; Hopkins and May 2011, section 3 and Figure 4).

Of every list, `pairs_sampled` pairs are drawn uniformly with replacement, those whose gains differ
by less than `min_difference` are dropped, and the `pairs_kept` of the largest differences remain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.growing import Column
from campanula.formats.arrays.pointers import expand_rows, lengths_of, pointer_of
from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.lists.formulas import Targets
from campanula.stages.kernels.lists.lists import Lists


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
    # stable: of equal differences at the limit, those drawn first are kept, on every machine
    best = enough[np.argsort(-np.abs(difference[enough]), kind="stable")[: sampling.pairs_kept]]
    swap = difference[best] < 0
    return np.where(swap, b[best], a[best]), np.where(swap, a[best], b[best])


def with_pairs(targets: Targets, list_pointer: Ints, sid: Ints, sampling: PairSampling) -> Targets:
    """Return the targets with pairs sampled from every list; sid (n_lists,)."""
    counts = Column(np.int64)
    all_better = Column(np.int64)
    all_worse = Column(np.int64)
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


def paired_alone(lists: Lists, targets: Targets) -> tuple[Lists, Targets]:
    """Return the lists with only the hypotheses of their sampled pairs, and the targets of these.

    Loss and gradient are the same, but for rounding: a hypothesis without a pair has slope 0.  Of
    merged lists of ten thousand hypotheses at most a hundred are left.
    """
    list_of_pair = np.repeat(np.arange(lists.n_lists), lengths_of(targets.pair_pointer))
    start = lists.list_pointer[list_of_pair]
    better = start + targets.better
    worse = start + targets.worse
    # ascending, so that the rows of a list stay together and in their order
    row = np.unique(np.concatenate([better, worse]))
    pointer = np.searchsorted(row, lists.list_pointer)
    targets = Targets(
        targets.cost[row],
        targets.gain[row],
        targets.reaches[row],
        targets.pair_pointer,
        np.searchsorted(row, better) - pointer[list_of_pair],
        np.searchsorted(row, worse) - pointer[list_of_pair],
    )
    return _with_rows(lists, row, pointer), targets


def _with_rows(lists: Lists, row: Ints, pointer: Ints) -> Lists:
    """Return the lists with the hypotheses `row`, ascending; pointer: where each list begins."""
    sparse_pointer, sparse = expand_rows(lists.sparse_pointer, row)
    binary_pointer, binary = expand_rows(lists.binary_pointer, row)
    n_dense = lengths_of(lists.dense_pointer)
    blocks = [
        _dense_block(lists, i)[:, row[pointer[i] : pointer[i + 1]] - lists.list_pointer[i]]
        for i in range(lists.n_lists)
    ]
    return Lists(
        pointer,
        lists.dense_pointer.copy(),  # those of a streamed chunk are written over
        lists.dense_id.copy(),
        pointer_of(n_dense * lengths_of(pointer)),
        np.concatenate([block.ravel() for block in blocks]),
        sparse_pointer,
        lists.sparse_id[sparse],
        lists.sparse_value[sparse],
        binary_pointer,
        lists.binary_id[binary],
    )


def _dense_block(lists: Lists, i: int) -> Floats:
    """Return the dense features of list i, (n_dense, n_hyps of the list)."""
    values = lists.dense[lists.dense_start[i] : lists.dense_start[i + 1]]
    return values.reshape(-1, int(lists.list_pointer[i + 1] - lists.list_pointer[i]))
