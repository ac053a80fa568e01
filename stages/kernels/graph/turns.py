"""What orientations and jumps score between two arcs of a lattice."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.graph.arcs import LatticeArcs
from campanula.stages.kernels.hierarchical import turns_after
from campanula.stages.kernels.orientation import orientation
from campanula.stages.kernels.records import ORIENTATIONS, TURNS
from campanula.stages.kernels.wide import wide


class Turns(NamedTuple):
    """Scores of orientations and jumps: block (n_arcs,), the block of each arc; score (n_blocks, 6)
    by orientation R, L, N, its own, then that of the block after; jump (2 r + 1,) as in Seams.

    With scores of hierarchical orientations beside them, (n_blocks, 12), covered (n_nodes,
    n_words + 1) are the source words that are covered at each node; else it is (0, 0).
    """

    block: Ints
    score: Floats
    jump: Floats
    covered: Flags


@njit(cache=True, nogil=True)
def turn_score(b: int, a: int, arcs: LatticeArcs, turns: Turns) -> float:
    """Score of the orientation and the jump of arc a after arc b, -1 for the start."""
    before_start, before_end, far = -1, 0, len(turns.jump) >> 1
    if b >= 0:
        before_start, before_end = wide(arcs.start[b]), wide(arcs.end[b])
    start = wide(arcs.start[a])
    turn = orientation(start, wide(arcs.end[a]), before_start, before_end)
    total = turns.score[turns.block[a], turn]
    if b >= 0:
        total += turns.score[turns.block[b], ORIENTATIONS + turn]
    if len(turns.covered) > 0:
        covered = turns.covered[arcs.before[a]]
        back, forth = turns_after(start, wide(arcs.end[a]), before_start, before_end, covered)
        total += turns.score[turns.block[a], TURNS + back]
        if b >= 0:
            total += turns.score[turns.block[b], TURNS + ORIENTATIONS + forth]
    if abs(start - before_end) <= far:
        total += turns.jump[start - before_end + far]
    return float(total)


@njit(cache=True, nogil=True)
def settled_turns(arcs: LatticeArcs, turns: Turns) -> tuple[Floats, Flags]:
    """Turn scores of arcs for which it is the same after every arc before (0 elsewhere; n_arcs,).

    The second result says where it varies.
    """
    score = np.zeros(len(arcs.before))
    varies = np.zeros(len(arcs.before), dtype=np.bool_)
    for a in range(len(arcs.before)):
        u = arcs.before[a]
        first = wide(arcs.pointer[u]) if u > 0 else -1
        score[a] = turn_score(first, a, arcs, turns)
        for b in range(arcs.pointer[u] + 1, arcs.pointer[u + 1]):
            if turn_score(b, a, arcs, turns) != score[a]:
                varies[a] = True
        if varies[a]:
            score[a] = 0.0
    return score, varies
