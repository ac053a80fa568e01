"""BLEU of hypotheses before a background of statistics, as batch MIRA's gain, compiled.

    B(j) = BLEU(b + stats_j) (r_b + r_j)        (Cherry & Foster 2012, section 3)

The background b is a decaying sum of the statistics of hypotheses seen before.  B scales BLEU by
the reference length, so that a loss counts as a corpus does (Chiang et al. 2008).  Many hypotheses
share statistics, so B is computed once for each distinct row of a list.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.metrics.bleu import brevity_penalty, fourth_root

WIDTH = 10


class StatisticsRows(NamedTuple):
    """The distinct statistics of the lists, in order of their first hypotheses.

    List i has the n = pointer[i + 1] - pointer[i] rows from pointer[i] on, and stats holds them
    column by column: n numbers c, n numbers r, and so on.  Hypothesis h has row place[h], counted
    from the first of its list.
    """

    pointer: Ints
    stats: Floats
    place: Ids


@njit(**LEAN)
def _same(one: Ints, other: Ints) -> bool:
    same = True
    for c in range(len(one)):
        same &= one[c] == other[c]
    return same


@njit(**LEAN)
def _find_rows(
    list_pointer: Ints, stats: Ints, slots: Ints, first: Ints, rows: StatisticsRows
) -> None:
    """Write the rows; slots is room for a hash table, first (n_hyps,) for a hypothesis of each."""
    for i in range(len(list_pointer) - 1):
        slots[:] = -1
        start = n = rows.pointer[i]
        for h in range(list_pointer[i], list_pointer[i + 1]):
            code = np.int64(0)
            for c in range(stats.shape[1]):
                code = (code * 31 + stats[h, c]) & 0xFFFFFFFF
            slot = (code ^ (code >> 15)) & (len(slots) - 1)
            while slots[slot] >= 0 and not _same(stats[first[slots[slot]]], stats[h]):
                slot = (slot + 1) & (len(slots) - 1)
            if slots[slot] < 0:
                slots[slot], first[n] = n, h
                n += 1
            rows.place[h] = slots[slot] - start
        rows.pointer[i + 1] = n
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
    """Write B of the rows of list i to gain, column by column: vectorised but for exp.

    This is BLEU as `bleu_of_sums` has it, but for the orders without a match, which the background
    leaves none of; asking for them would end the vectorisation.
    """
    start, n = rows.pointer[i] * WIDTH, rows.pointer[i + 1] - rows.pointer[i]
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
