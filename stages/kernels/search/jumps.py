"""Costs of jumps in a sentence, from the end e of one phrase to the start s of the next.

    cost(e, s) = - theta_D |s - e| + weight of the sparse feature of jump s - e
                 + theta_out log p_out(s - e | f_e) + theta_in log p_in(s - e | f'_s)

f_e is the last source word of the phrase before (the sentence's start, when e = 0), f'_s the first
of this one (Al-Onaizan and Papineni 2006).  Estimates of the cost of the rest of the sentence leave
sparse features out and take a negative weight for 0: uncovered words force jumps, which an estimate
may count as a cost but not as a gain.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ints, Singles
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.records import Jumps


@njit(cache=True, nogil=True)
def jump_logs(row: Ints, table: Singles) -> Floats:
    """Return log probabilities (2, n + 1, n) of a sentence's jumps, outbound and inbound, by e, s.

    table (2, n_rows, 2 r + 1): those of jumps of -r to r words; longer jumps count as jumps of r.
    row (n + 1,): the row of the sentence's start, then of each word.
    """
    n = len(row) - 1
    far = table.shape[2] >> 1
    value = np.empty((2, n + 1, n))
    for e in range(n + 1):
        for s in range(n):
            column = min(max(s - e, -far), far) + far
            # row[e] is that of word e - 1, the last one before the jump, row[s + 1] that of word s
            value[0, e, s] = table[0, row[e], column]
            value[1, e, s] = table[1, row[s + 1], column]
    return value


@njit(cache=True, nogil=True)
def sentence_jumps(
    n: int, distortion: float, logs: Floats, weight: Floats, sparse: Floats
) -> Jumps:
    """Return the costs of all jumps in a sentence of n words.

    logs: the result of jump_logs, or (2, 0, 0) without a table, and weight (2,), their weights;
    sparse (2 r + 1,): weights of jumps of -r to r words (records.Seams).
    """
    far = len(sparse) >> 1
    has_logs = logs.shape[1] > 0
    cost = np.empty((n + 1, n))
    ahead = np.empty((n + 1, n))
    in_order = np.zeros(n)
    for s in range(n):
        if has_logs:
            for side in range(2):
                in_order[s] += max(weight[side], 0.0) * logs[side, s, s]
        for e in range(n + 1):
            cost[e, s] = -distortion * abs(s - e)
            ahead[e, s] = -max(distortion, 0.0) * abs(s - e)
            if abs(s - e) <= far:
                cost[e, s] += sparse[s - e + far]
            if has_logs:
                for side in range(2):
                    cost[e, s] += weight[side] * logs[side, e, s]
                    ahead[e, s] += max(weight[side], 0.0) * logs[side, e, s]
                # estimates of gaps include in_order[s]: `ahead` is what a jump costs beyond that
                ahead[e, s] -= in_order[s]
    return Jumps(cost, ahead, in_order)
