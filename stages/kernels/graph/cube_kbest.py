"""The best paths of a lattice under features that look beyond an arc: cube pruning.

A node keeps a list of the best paths that reach it (Gimpel and Smith 2012, section 4.3: 100).  A
path into the next node is an arc and a path of the list before the arc.  The best path of each arc
waits in a heap, and when it is taken the next one of the same arc replaces it (Huang and Chiang
2005, algorithm 2):

    score = score(path before) + local(arc) + turn(arc before, arc) + seam(history of the path, arc)

The last two terms depend on the path before, so a worse path may lead to a better one: lists that
are too short lose some paths (Chiang 2007).  Lists that hold all paths lose none.

Ties: the first arc, then the better path before it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ids
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.graph.arcs import LatticeArcs
from campanula.stages.kernels.graph.best_paths import (
    LEFT,
    RIGHT,
    BestPaths,
    empty_path,
    sort_list,
    with_another,
)
from campanula.stages.kernels.graph.paths import ARC, BEFORE, Paths, paths_to
from campanula.stages.kernels.graph.strings import words_hash
from campanula.stages.kernels.graph.turns import Turns, turn_score
from campanula.stages.kernels.graph.waiting import WaitingArcs, drop, nothing_waits, put, sink
from campanula.stages.kernels.records import SOURCE, TARGET, Seams
from campanula.stages.kernels.sparse.seams import no_history, remember, seam_score

# What two paths of one list must not have in common: NOTHING (any two may stand in it), their
# WORDS, or the words and what decides the scores of arcs that follow: the last phrases, or, where
# orientations and jumps count, the last block and its span.
NOTHING, WORDS, WORDS_AND_PHRASES, WORDS_AND_BLOCK = range(4)


class PathScores(NamedTuple):
    """Scores of arcs: local (n_arcs,) of each alone, and what depends on the path before it.

    varies (n_arcs,): whether an arc's turn score depends on the arc before and is not in `local`;
    info and seams (records.Options, Seams) are those of the blocks.
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
    """Return the k best paths that cube pruning finds, best first.

    The list of a node has at most `node_list` paths, that of the last node k if this is more.  With
    `distinct` the last list has no two paths with the same words, and no other list has two with
    the same words and the same scores of whatever follows.
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
            # of paths with equal words and future, the worse can lead to nothing new
            unlike = WORDS_AND_BLOCK if scores.varies.any() else WORDS_AND_PHRASES
        for a in range(arcs.pointer[v], arcs.pointer[v + 1]):
            d = paths.begin[arcs.before[a]]  # the best path to the node before
            waiting.head[a] = score_after(d, a, arcs, scores, paths)
            put(waiting, a)
        while waiting.size[0] > 0 and n - begin < most:
            if n == len(paths.score):
                paths = with_another(paths, n)
            n = take_best(begin, n, unlike, arcs, scores, paths, waiting)
            follow(arcs, scores, paths, waiting)
        waiting.size[0] = 0  # the list is full: arcs that still wait are dropped
        # paths come in the order of their heads, but a better one may wait behind a worse one
        sort_list(paths, begin, n)
        paths.begin[v + 1] = n
    first = paths.begin[final]
    return paths_to(np.arange(first, min(first + k, n)), paths.step)


@njit(**LEAN, inline="always")
def score_after(d: int, a: int, arcs: LatticeArcs, scores: PathScores, paths: BestPaths) -> float:
    """Return the score of path d with arc a after it."""
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
    """Add the best path that waits to the list begin:n, which has room, and return its new end.

    If the list has a path that it must not resemble (`unlike`), the better of the two stays.
    """
    a = waiting.heap[0]
    d = paths.begin[arcs.before[a]] + waiting.rank[a]
    left, right = string_after(d, a, arcs, paths)
    new = n
    if unlike != NOTHING:
        new = place_of(begin, n, a, (left, right), unlike, arcs, scores, paths)
    # paths do not come strictly by score: a later one may be better, and takes the place
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
    """Return the two hashes of the words of path d with arc a after it."""
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
    """Return the path in begin:n that a path with these words and last arc a resembles, else n.

    string: the two hashes of the words.
    """
    for row in range(begin, n):
        same = paths.key[row, LEFT] == string[0] and paths.key[row, RIGHT] == string[1]
        if same and same_future(a, paths.step[row, ARC], unlike, arcs, scores):
            return row
    return n


@njit(**LEAN)
def same_future(a: int, b: int, unlike: int, arcs: LatticeArcs, scores: PathScores) -> bool:
    """Whether arcs that follow score the same after a as after b, if the words are the same."""
    x, y = scores.turns.block[a], scores.turns.block[b]
    context = scores.seams.context
    same = True  # for WORDS: nothing follows the last node
    if unlike == WORDS_AND_PHRASES:
        same = context[x, TARGET] == context[y, TARGET] and context[x, SOURCE] == context[y, SOURCE]
    elif unlike == WORDS_AND_BLOCK:
        same = x == y and arcs.start[a] == arcs.start[b] and arcs.end[a] == arcs.end[b]
    return bool(same)


@njit(**LEAN)
def follow(arcs: LatticeArcs, scores: PathScores, paths: BestPaths, waiting: WaitingArcs) -> None:
    """Replace the top of the heap, which has been taken, by the next path of the same arc."""
    a = waiting.heap[0]
    u = arcs.before[a]
    waiting.rank[a] += 1
    d = paths.begin[u] + waiting.rank[a]
    if d < paths.begin[u + 1]:
        waiting.head[a] = score_after(d, a, arcs, scores, paths)
        sink(waiting)
    else:
        drop(waiting)
