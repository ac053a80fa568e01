"""BLEU of hypotheses added to a background of statistics, the gain of batch MIRA, compiled.

    B(j) = BLEU(b + stats_j) (r_b + r_j)        (Cherry & Foster 2012, section 3)

The background b is a decaying sum of the statistics of earlier hopes.  B scales BLEU by the
reference length, so that losses of sentences weigh as in a corpus (Chiang et al. 2008).  Many
hypotheses share statistics, so B is computed once for each distinct row of a list.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.metrics.bleu import brevity_penalty, fourth_root

WIDTH = 10  # statistics: c, r, m_1..m_4, t_1..t_4


class StatisticsRows(NamedTuple):
    """The distinct statistics of the lists, in order of their first hypotheses.

    List i has the n = pointer[i + 1] - pointer[i] rows from pointer[i] on, and stats holds them
    column by column: n numbers c, n numbers r, and so on.  Hypothesis h has row place[h], counted
    from the first row of its list.
    """

    pointer: Ints
    stats: Floats
    place: Ids


@njit(**LEAN)
def _same(one: Ints, other: Ints) -> bool:
    same = True
    # no early exit: ten comparisons at once are faster than a branch after each
    for c in range(len(one)):
        same &= one[c] == other[c]
    return same


@njit(**LEAN)
def _find_rows(
    list_pointer: Ints, stats: Ints, slots: Ints, first: Ints, rows: StatisticsRows
) -> None:
    """Write the distinct rows.

    Working memory: slots (a power of two, twice the longest list,), a hash table; first (n_hyps,),
    the first hypothesis of each row.
    """
    for i in range(len(list_pointer) - 1):
        slots[:] = -1
        start = n = rows.pointer[i]
        for h in range(list_pointer[i], list_pointer[i + 1]):
            code = np.int64(0)
            for c in range(stats.shape[1]):
                # 32 bits: the product stays within 64, in Python as in machine code
                code = (code * 31 + stats[h, c]) & 0xFFFFFFFF
            slot = (code ^ (code >> 15)) & (len(slots) - 1)
            while slots[slot] >= 0 and not _same(stats[first[slots[slot]]], stats[h]):
                slot = (slot + 1) & (len(slots) - 1)
            if slots[slot] < 0:
                slots[slot] = n
                first[n] = h
                n += 1
            rows.place[h] = slots[slot] - start
        rows.pointer[i + 1] = n
        # column by column within a list: scaled_bleus reads each column as one vector
        for c in range(stats.shape[1]):
            for m in range(n - start):
                rows.stats[start * WIDTH + c * (n - start) + m] = stats[first[start + m], c]


def distinct_rows(list_pointer: Ints, stats: Ints) -> StatisticsRows:
    """Distinct statistics of every list; stats (n_hyps, 10) of BLEU."""
    pointer = np.zeros(len(list_pointer), np.int64)
    rows = StatisticsRows(pointer, np.empty(stats.size), np.empty(len(stats), np.int32))
    longest = int(np.diff(list_pointer).max())
    slots = np.empty(1 << (2 * longest - 1).bit_length(), np.int64)
    _find_rows(list_pointer, stats, slots, np.empty(len(stats), np.int64), rows)
    return rows._replace(stats=rows.stats[: pointer[-1] * WIDTH])


@njit(**LEAN, error_model="numpy")
def scaled_bleus(rows: StatisticsRows, i: int, background: Floats, gain: Floats) -> None:
    """Write B of the rows of list i to gain (n,).

    This is the BLEU of `bleu_of_sums`, without its case of an order without a match: the background
    has matches of all orders.
    """
    start = rows.pointer[i] * WIDTH
    n = rows.pointer[i + 1] - rows.pointer[i]
    lengths, references = rows.stats[start : start + n], rows.stats[start + n : start + 2 * n]
    start += 2 * n
    match1, match2 = rows.stats[start : start + n], rows.stats[start + n : start + 2 * n]
    start += 2 * n
    match3, match4 = rows.stats[start : start + n], rows.stats[start + n : start + 2 * n]
    start += 2 * n
    total1, total2 = rows.stats[start : start + n], rows.stats[start + n : start + 2 * n]
    start += 2 * n
    total3, total4 = rows.stats[start : start + n], rows.stats[start + n : start + 2 * n]
    length, reference, b1, b2, b3, b4, b5, b6, b7, b8 = background
    # two loops: the first one is vectorised, which the exponential of the second prevents
    for j in range(n):
        match = (match1[j] + b1) * (match2[j] + b2) * (match3[j] + b3) * (match4[j] + b4)
        total = (total1[j] + b5) * (total2[j] + b6) * (total3[j] + b7) * (total4[j] + b8)
        gain[j] = fourth_root(match / total) if total > 0.0 else 0.0
    for j in range(n):
        c, r = lengths[j] + length, references[j] + reference
        gain[j] *= r * brevity_penalty(c, r)


@njit(**LEAN)
def add_statistics(rows: StatisticsRows, i: int, m: int, decay: float, total: Floats) -> None:
    """total = decay total + row m of list i; total (10,)."""
    n = rows.pointer[i + 1] - rows.pointer[i]
    start = rows.pointer[i] * WIDTH + m
    for c in range(WIDTH):
        total[c] = decay * total[c] + rows.stats[start + c * n]
