"""Scores of the orientation and the jump between two arcs of a lattice, the turn from b to a."""

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
    """Scores of orientations and jumps.

    block (n_arcs,): the block of each arc; score (n_blocks, 6): three by a block's own orientation,
    then three by that of the block after it; jump (2 r + 1,) as in records.Seams.  For hierarchical
    orientations score (n_blocks, 12) has six more in the same way, and covered (n_nodes,
    n_words + 1) the source words that are covered at each node; else covered is (0, 0).
    """

    block: Ints
    score: Floats
    jump: Floats
    covered: Flags


@njit(cache=True, nogil=True)
def turn_score(b: int, a: int, arcs: LatticeArcs, turns: Turns) -> float:
    """Return the score of the orientation and the jump of arc a after arc b (-1: the start)."""
    far = len(turns.jump) >> 1
    # the start of a sentence is as a block that ends at word 0 and begins nowhere
    before_start, before_end = -1, 0
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
    if abs(start - before_end) <= far:  # longer jumps have no weight
        total += turns.jump[start - before_end + far]
    return float(total)


@njit(cache=True, nogil=True)
def settled_turns(arcs: LatticeArcs, turns: Turns) -> tuple[Floats, Flags]:
    """Return the turn scores (n_arcs,) of arcs, and whether they vary (n_arcs,).

    Where the turn score is not the same after every arc into the node before, it varies, and the
    score is 0.
    """
    score = np.zeros(len(arcs.before))
    varies = np.zeros(len(arcs.before), dtype=np.bool_)
    for a in range(len(arcs.before)):
        u = arcs.before[a]
        # nothing leads into node 0: the loop below is empty for it, and `first` stands for it
        first = wide(arcs.pointer[u]) if u > 0 else -1
        score[a] = turn_score(first, a, arcs, turns)
        for b in range(arcs.pointer[u] + 1, arcs.pointer[u + 1]):
            if turn_score(b, a, arcs, turns) != score[a]:
                varies[a] = True
        if varies[a]:
            score[a] = 0.0
    return score, varies
