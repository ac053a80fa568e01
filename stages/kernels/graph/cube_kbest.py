"""The best paths of a lattice under features that look beyond an arc: cube pruning.

A node keeps a list of the best paths that reach it (Gimpel and Smith 2012, section 4.3: 100).  A
path after it is an arc and a path of the list before the arc; the best of each arc wait in a heap,
and when one is taken the next of the same arc follows it (Huang and Chiang 2005, algorithm 2):

    score = score(path before) + local(arc) + turn(arc before, arc) + seam(history of the path, arc)

The last two depend on what stands before, so that a worse path may give a better one: lists that
are too short lose some (Chiang 2007).  With lists that hold all paths, nothing is lost.

Ties: the first arc, then the better path before it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ids
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.graph.arcs import LatticeArcs
from campanula.stages.kernels.graph.best_paths import (
    ARC,
    BEFORE,
    LEFT,
    RIGHT,
    BestPaths,
    empty_path,
    sort_list,
    with_another,
)
from campanula.stages.kernels.graph.paths import Paths, paths_to
from campanula.stages.kernels.graph.strings import words_hash
from campanula.stages.kernels.graph.turns import Turns, turn_score
from campanula.stages.kernels.graph.waiting import WaitingArcs, drop, nothing_waits, put, sink
from campanula.stages.kernels.records import SOURCE, TARGET, Seams
from campanula.stages.kernels.sparse.seams import no_history, remember, seam_score

# What two paths of a list may not share: nothing, their words, the words and all that features of
# what follows ask: of the last phrases, or of the last block and where it stands.
NOTHING, WORDS, WORDS_AND_PHRASES, WORDS_AND_BLOCK = range(4)


class PathScores(NamedTuple):
    """What paths score: local (n_arcs,), each arc alone; and what depends on what stands before.

    varies (n_arcs,) says whose turns are to be added; info and seams (records.Options, Seams) are
    those of the blocks.
    """

    local: Floats
    varies: Flags
    turns: Turns
    info: Ids
    seams: Seams


@njit(cache=True, nogil=True)
def cube_kbest(
    arcs: LatticeArcs, scores: PathScores, node_list: int, k: int, distinct: bool
) -> Paths:
    """The k best paths that cube pruning finds, best first.

    The list of a node has at most `node_list` paths, that of the last node k if this is more.  With
    `distinct` the last has no two paths with the same words, and no other has two with the same
    words and future.
    """
    n_nodes = len(arcs.pointer) - 1
    paths = empty_path(n_nodes, no_history(scores.seams.triggers))
    waiting = nothing_waits(len(scores.local))
    final = n_nodes - 1
    n = 1
    for v in range(1, n_nodes):
        begin = n
        most = max(k, node_list) if v == final else node_list
        unlike = NOTHING
        if distinct and v == final:
            unlike = WORDS
        elif distinct:
            unlike = WORDS_AND_BLOCK if scores.varies.any() else WORDS_AND_PHRASES
        for a in range(arcs.pointer[v], arcs.pointer[v + 1]):
            d = paths.begin[arcs.before[a]]
            waiting.head[a] = score_after(d, a, arcs, scores, paths)
            put(waiting, a)
        while waiting.size[0] > 0 and n - begin < most:
            if n == len(paths.score):
                paths = with_another(paths, n)
            n = take_best(begin, n, unlike, arcs, scores, paths, waiting)
            follow(arcs, scores, paths, waiting)
        waiting.size[0] = 0
        sort_list(paths, begin, n)
        paths.begin[v + 1] = n
    first = paths.begin[final]
    return paths_to(np.arange(first, min(first + k, n)), paths.step)


@njit(**LEAN, inline="always")
def score_after(d: int, a: int, arcs: LatticeArcs, scores: PathScores, paths: BestPaths) -> float:
    """Score of path d and arc a after it."""
    total = paths.score[d] + scores.local[a]
    block = scores.turns.block[a]
    total += seam_score(paths.history, d, block, scores.info, scores.seams)
    if scores.varies[a]:
        total += turn_score(paths.step[d, ARC], a, arcs, scores.turns)
    return float(total)


@njit(**LEAN)
def take_best(
    begin: int,
    n: int,
    unlike: int,
    arcs: LatticeArcs,
    scores: PathScores,
    paths: BestPaths,
    waiting: WaitingArcs,
) -> int:
    """Add the best path that waits as path n, for which there is room, to a list from `begin` on.

    Where another must be unlike it, the better of the two stays.  Returns where the list ends then.
    """
    a = waiting.heap[0]
    d = paths.begin[arcs.before[a]] + waiting.rank[a]
    left, right = string_after(d, a, arcs, paths)
    new = n
    if unlike != NOTHING:
        new = place_of(begin, n, a, (left, right), unlike, arcs, scores, paths)
    if new == n or waiting.head[a] > paths.score[new]:
        block = scores.turns.block[a]
        remember(paths.history, d, new, block, scores.info, scores.seams)
        paths.score[new] = waiting.head[a]
        paths.step[new, ARC] = a
        paths.step[new, BEFORE] = d
        paths.key[new, LEFT] = left
        paths.key[new, RIGHT] = right
    return max(n, new + 1)


@njit(**LEAN)
def string_after(d: int, a: int, arcs: LatticeArcs, paths: BestPaths) -> tuple[int, int]:
    """Hashes of the words of path d and arc a after it."""
    p = arcs.phrase[a]
    begin, end = arcs.phrase_pointer[p], arcs.phrase_pointer[p + 1]
    return words_hash(paths.key[d, LEFT], paths.key[d, RIGHT], begin, end, arcs.phrase_word)


@njit(**LEAN)
def place_of(
    begin: int,
    n: int,
    a: int,
    string: tuple[int, int],
    unlike: int,
    arcs: LatticeArcs,
    scores: PathScores,
    paths: BestPaths,
) -> int:
    """The path from `begin` to n that a path with the last arc a must be unlike; n for none."""
    for row in range(begin, n):
        same = paths.key[row, LEFT] == string[0] and paths.key[row, RIGHT] == string[1]
        if same and same_future(a, paths.step[row, ARC], unlike, arcs, scores):
            return row
    return n


@njit(**LEAN)
def same_future(a: int, b: int, unlike: int, arcs: LatticeArcs, scores: PathScores) -> bool:
    """Whether whatever follows scores the same after arcs a and b, the words being the same."""
    x, y = scores.turns.block[a], scores.turns.block[b]
    context = scores.seams.context
    same = True
    if unlike == WORDS_AND_PHRASES:
        same = context[x, TARGET] == context[y, TARGET] and context[x, SOURCE] == context[y, SOURCE]
    elif unlike == WORDS_AND_BLOCK:
        same = x == y and arcs.start[a] == arcs.start[b] and arcs.end[a] == arcs.end[b]
    return bool(same)


@njit(**LEAN)
def follow(arcs: LatticeArcs, scores: PathScores, paths: BestPaths, waiting: WaitingArcs) -> None:
    """Let the next path of the same arc follow the best that waits, which has been taken."""
    a = waiting.heap[0]
    u = arcs.before[a]
    waiting.rank[a] += 1
    d = paths.begin[u] + waiting.rank[a]
    if d < paths.begin[u + 1]:
        waiting.head[a] = score_after(d, a, arcs, scores, paths)
        sink(waiting)
    else:
        drop(waiting)
