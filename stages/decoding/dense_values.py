"""Values of the dense features that Moses does not have, for each arc of a search graph.

    outbound, inbound distortion     log probabilities of the jump to the arc's phrase
    LM1, LM2, ...                    the arc's scores in the language models after LM0
    LMFirst, LMRest                  the arc's score in LM0: of its first word (and of the
                                     sentence's end), of the others

The first two need a distortion table, the last two a search with `split` (records.Settings).
Also here: the arguments of the kernel that computes Moses's own features.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.feature_names.dense import LM_SPLIT
from campanula.formats.model.model import Model
from campanula.stages.kernels.records import END, LM, LM_LOG, START, RowScores

if TYPE_CHECKING:
    from campanula.stages.kernels.records import Graph

NO_LOGS = np.zeros((2, 0, 0))


def arc_width(n_lms: int) -> int:
    """Return the columns of Graph.arc_value of a search without `split`; at least one for an LM."""
    return LM_LOG + max(1, n_lms)


def row_scores(model: Model) -> RowScores:
    """Return the scores of the rows of a model's phrase and reordering tables."""
    return RowScores(model.score, model.reordering, np.array(model.hierarchical, np.bool_))


def moses_values(
    model: Model, offset: Ints, arc: Ints, graph: Graph, info: Ids, exact: bool = False
) -> Floats:
    """Return the values (n_derivations, n_features) of Moses's features; LM0 is the first.

    offset (n + 1,): where each derivation begins in `arc`; info: of the options (records.Options);
    exact: hierarchical orientations are those of the definition, else those of the search.
    """
    from campanula.stages.kernels import hierarchical
    from campanula.stages.kernels.graph.values import feature_values

    turns = np.zeros((0, 2), np.int64)
    if any(model.hierarchical):
        hyp = np.repeat(np.arange(len(offset) - 1), np.diff(offset))
        start, end = graph.link[arc][:, [START, END]].T.astype(np.int64)
        kernel = hierarchical.exact_turns if exact else hierarchical.search_turns
        turns = kernel(hyp, np.ascontiguousarray(start), np.ascontiguousarray(end))
    return feature_values(offset, arc, graph, info, row_scores(model), turns)


def arc_values(
    start: Ids, before_end: NDArray[np.integer], arc_value: Floats, logs: Floats, n_lms: int
) -> Floats:
    """Return the values (n_features, n_arcs) of arcs; logs: of jumps, as in search/jumps.py.

    before_end (n_arcs,): end of the phrase before each arc's.
    """
    rows = list(logs[:, before_end, start]) if logs.shape[1] else []
    lm_logs = arc_value[:, LM_LOG:].T
    rows += list(lm_logs[1:n_lms])
    if arc_value.shape[1] > arc_width(n_lms):  # split: the last column is LM0 of first words
        rows += [lm_logs[-1], lm_logs[0] - lm_logs[-1]]
    return np.array(rows).reshape(-1, len(start))


def derivation_values(offset: Ints, arc: Ints, graph: Graph, logs: Floats, n_lms: int) -> Floats:
    """Return the values (n_derivations, n_features) as sums over arcs.

    offset (n + 1,): where each derivation begins in `arc`.
    """
    n = len(offset) - 1
    if not logs.shape[1] and n_lms < 2 and graph.arc_value.shape[1] == arc_width(n_lms):
        return np.zeros((n, 0))
    link = graph.link[arc]
    value = arc_values(
        link[:, START], ends_before(offset, link[:, END]), graph.arc_value[arc], logs, n_lms
    )
    owner = np.repeat(np.arange(n), np.diff(offset))
    # bincount adds in order, as sums along the paths of a lattice do
    return np.array([np.bincount(owner, row, n) for row in value]).reshape(-1, n).T


def ends_before(offset: Ints, end: Ids) -> Ids:
    """Return the end of the step before each step, 0 for first steps; each derivation has steps."""
    before = np.concatenate([np.zeros(1, end.dtype), end[:-1]])
    # the first step of a derivation follows no phrase: its jump starts at the first word
    before[offset[:-1]] = 0
    return before


def end_values(n_values: int, end_log: Floats) -> Floats:
    """Return the values (n_values,) of a sentence without words, by Model.all_features().

    end_log (n_lms,): natural log probability of its end under each language model.
    """
    value = np.zeros(n_values)
    value[LM] = end_log[0]
    # LM1, LM2, ... stand before the two features of a split LM0, which are the last
    split = n_values - len(LM_SPLIT)
    value[split - len(end_log) + 1 : split] = end_log[1:]
    value[split] = end_log[0]  # LMFirst: the sentence's end counts as a first word
    return value
