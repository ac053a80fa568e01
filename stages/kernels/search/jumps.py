"""What jumps cost in a sentence: from the end e of one phrase to the start s of the next.

    cost(e, s) = - theta_D |s - e| + weight of the sparse feature of jump s - e
                 + theta_out log p_out(s - e | f_e) + theta_in log p_in(s - e | f'_s)

f_e is the last source word of the phrase before (the sentence's start, when e = 0), f'_s the first
of this one (Al-Onaizan and Papineni 2006).  Estimates of what the rest of the sentence costs leave
sparse features out, and take a negative weight for 0: nothing forces the search to gain by jumps.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ints, Singles
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.records import Jumps


@njit(cache=True, nogil=True)
def jump_logs(row: Ints, table: Singles) -> Floats:
    """Log probabilities of the jumps of a sentence: (2, n + 1, n), outbound and inbound, by e, s.

    table (2, n_rows, 2 r + 1) are those of jumps of -r to r words, which stand for longer ones,
    too; row (n + 1,) is the start's row, then each word's.
    """
    n = len(row) - 1
    far = table.shape[2] >> 1
    value = np.empty((2, n + 1, n))
    for e in range(n + 1):
        for s in range(n):
            column = min(max(s - e, -far), far) + far
            value[0, e, s] = table[0, row[e], column]
            value[1, e, s] = table[1, row[s + 1], column]
    return value


@njit(cache=True, nogil=True)
def sentence_jumps(
    n: int, distortion: float, logs: Floats, weight: Floats, sparse: Floats
) -> Jumps:
    """Costs of all jumps in a sentence of n words.

    `logs` are those of jump_logs, (2, 0, 0) for none, and weight (2,) theirs; sparse (2 r + 1,) are
    weights of jumps of -r to r words (records.Seams).
    """
    far = len(sparse) >> 1
    known = logs.shape[1] > 0
    cost = np.empty((n + 1, n))
    ahead = np.empty((n + 1, n))
    in_order = np.zeros(n)
    for s in range(n):
        if known:
            for side in range(2):
                in_order[s] += max(weight[side], 0.0) * logs[side, s, s]
        for e in range(n + 1):
            cost[e, s] = -distortion * abs(s - e)
            ahead[e, s] = -max(distortion, 0.0) * abs(s - e)
            if abs(s - e) <= far:
                cost[e, s] += sparse[s - e + far]
            if known:
                for side in range(2):
                    cost[e, s] += weight[side] * logs[side, e, s]
                    ahead[e, s] += max(weight[side], 0.0) * logs[side, e, s]
                ahead[e, s] -= in_order[s]
    return Jumps(cost, ahead, in_order)
