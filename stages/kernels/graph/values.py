"""The dense features of a search graph's arcs, and of derivations as sums of them."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.hierarchical import BACK, FORTH, node_coverage, turns_after
from campanula.stages.kernels.orientation import orientation
from campanula.stages.kernels.records import (
    DISTORTION,
    END,
    LENGTH,
    LM,
    LM_LOG,
    OPTION,
    ORIENTATIONS,
    PHRASES,
    ROW,
    SCORES,
    START,
    TURNS,
    UNKNOWN,
    UNKNOWN_LOG,
    WORDS,
    Graph,
    RowScores,
)
from campanula.stages.kernels.wide import wide


@njit(cache=True, nogil=True, inline="always")
def add_values(
    value: Floats, a: int, b: int, graph: Graph, info: Ids, rows: RowScores, back: int, forth: int
) -> None:
    """Add arc a's own part, after arc b (-1: the start), to the dense features (n_features,).

    `info` is that of the options (records.Options); back and forth are the hierarchical
    orientations of a, and of b (kernels/hierarchical.py).
    """
    link = graph.link
    score = rows.score
    reordering = rows.reordering
    n_scores = score.shape[1]
    option = link[a, OPTION]
    start = wide(link[a, START])
    end = wide(link[a, END])
    row = wide(info[option, ROW])
    # the start of a sentence is as a block that ends at word 0, begins nowhere and has no row
    before_start = -1
    before_end = 0
    row_before = -1
    if b >= 0:
        before_start, before_end = wide(link[b, START]), wide(link[b, END])
        row_before = wide(info[link[b, OPTION], ROW])
    value[LM] += graph.arc_value[a, LM_LOG]
    value[DISTORTION] -= abs(start - before_end)
    value[WORDS] -= info[option, LENGTH]
    value[PHRASES] += 1.0
    if row >= 0:  # else a copied unknown word
        for k in range(n_scores):
            value[SCORES + k] += score[row, k]
    else:
        value[UNKNOWN] += UNKNOWN_LOG
    turn = orientation(start, end, before_start, before_end)
    for table in range(len(rows.hierarchical)):
        backward, forward = turn, turn
        if rows.hierarchical[table]:
            backward, forward = back, forth
        # a table has six columns: by orientation to the block before, then to the block after
        backward = TURNS * table + backward
        forward = TURNS * table + ORIENTATIONS + forward
        if row >= 0:
            value[SCORES + n_scores + backward] += reordering[row, backward]
        # the forward score of the last block counts here, where its orientation is known
        if row_before >= 0:
            value[SCORES + n_scores + forward] += reordering[row_before, forward]


@njit(cache=True, nogil=True)
def n_values(rows: RowScores) -> int:
    """Return the number of dense features of a model whose rows have these scores."""
    return int(SCORES + rows.score.shape[1] + rows.reordering.shape[1])


@njit(cache=True, nogil=True)
def feature_values(
    offset: Ints, arc: Ints, graph: Graph, info: Ids, rows: RowScores, turns: Ints
) -> Floats:
    """Return dense features (n_hyps, n_features) of derivations, by records.LM, DISTORTION, ...

    offset (n_hyps + 1,) into arc (offset[-1],); turns (offset[-1], 2) are hierarchical orientations
    (kernels/hierarchical.py), or (0, 2) if no table asks for them; the rest as in add_values.
    """
    value = np.zeros((len(offset) - 1, n_values(rows)))
    for h in range(len(offset) - 1):
        before = wide(-1)
        for s in range(offset[h], offset[h + 1]):
            back, forth = wide(0), wide(0)
            if len(turns) > 0:
                back, forth = turns[s, BACK], turns[s, FORTH]
            add_values(value[h], arc[s], before, graph, info, rows, back, forth)
            before = arc[s]
    return value


@njit(cache=True, nogil=True)
def arc_features(
    useful: tuple[Ints, Ints, Ints], graph: Graph, info: Ids, rows: RowScores, n_words: int
) -> Floats:
    """Return the dense features (n_arcs, n_features) that each of the useful arcs adds.

    They depend on the node before the arc alone: two arcs lead into one node only if they agree in
    all that the features of the next phrase need (the coverage; the last phrase's end; its start if
    a swap can follow; its class of forward reordering scores).
    """
    pointer, arc, before = useful
    value = np.zeros((len(arc), n_values(rows)))
    start, end = graph.link[arc, START], graph.link[arc, END]
    covered = np.zeros((0, 0), np.bool_)
    if rows.hierarchical.any():
        covered = node_coverage(pointer, before, start, end, n_words)
    for i in range(len(arc)):
        last = wide(-1)
        before_start = wide(-1)
        before_end = wide(0)
        if before[i] > 0:
            j = pointer[before[i]]  # any arc into the node before will do: the first
            last = arc[j]
            before_start = wide(start[j])
            before_end = wide(end[j])
        back, forth = wide(0), wide(0)
        if len(covered) > 0:
            back, forth = turns_after(
                wide(start[i]), wide(end[i]), before_start, before_end, covered[before[i]]
            )
        add_values(value[i], arc[i], last, graph, info, rows, back, forth)
    return value
