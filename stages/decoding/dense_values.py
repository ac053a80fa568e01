"""Values of the dense features that Moses has not, by arc of a search graph.

    outbound, inbound distortion     log probabilities of the jump to the arc's phrase
    LM1, LM2, ...                    the arc's scores in the language models after LM0
    LMFirst, LMRest                  the arc's score in LM0: of its first word (and of the
                                     sentence's end), of the others

The first two are there with a distortion table, the last two if the search was told to split
(records.Settings).  Beside them what the kernels of other values are given.
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
    """Columns of Graph.arc_value of a search that does not split; without models as with one."""
    return LM_LOG + max(1, n_lms)


def row_scores(model: Model) -> RowScores:
    """What rows of a model's tables score."""
    return RowScores(model.score, model.reordering, np.array(model.hierarchical, np.bool_))


def moses_values(
    model: Model, offset: Ints, arc: Ints, graph: Graph, info: Ids, exact: bool = False
) -> Floats:
    """Values (n_derivations, n_features) of Moses's features, of a language model first.

    offset (n + 1,) into arc; info: of the options (records.Options).  exact: hierarchical
    orientations are those of the definition, else of the search.
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
    """Values (n_features, n_arcs) of arcs; `logs` are those of search/jumps.py."""
    rows = list(logs[:, before_end, start]) if logs.shape[1] else []
    of_lms, split = arc_value[:, LM_LOG:].T, arc_value.shape[1] > arc_width(n_lms)
    rows += list(of_lms[1:n_lms])
    if split:
        rows += [of_lms[-1], of_lms[0] - of_lms[-1]]
    return np.array(rows).reshape(-1, len(start))


def derivation_values(offset: Ints, arc: Ints, graph: Graph, logs: Floats, n_lms: int) -> Floats:
    """Values (n_derivations, n_features): sums over arcs, `offset` (n + 1,) into arc."""
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
    """End of the step before each step, 0 for the first ones; derivations have steps."""
    before = np.concatenate([np.zeros(1, end.dtype), end[:-1]])
    before[offset[:-1]] = 0
    return before


def end_values(n_values: int, end_log: Floats) -> Floats:
    """Values (n_values,) of a sentence without words, by Model.all_features().

    end_log (n_lms,) is what each of the language models says of its end.
    """
    value = np.zeros(n_values)
    value[LM] = end_log[0]
    split = n_values - len(LM_SPLIT)
    value[split - len(end_log) + 1 : split] = end_log[1:]
    value[split] = end_log[0]  # the end counts as a first word
    return value
