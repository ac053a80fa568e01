"""Rows of a phrase table in the order that they have with the counts of all sentence pairs.

A sentence pair changes the values of few rows.  The others keep their order, so they are ranked
once, when a sentence has their source phrase first, and a kernel merges the changed ones into them
(kernels/bitext/left_out.py).
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.pointers import expand
from campanula.formats.arrays.types import Ints
from campanula.formats.model.model import Model
from campanula.stages.decoding.option_store import OptionStore


class RankedRows:
    """Ranks the rows of source phrases (trie nodes) as sentences come to them.

    arrays: kernels.bitext.left_records.Ranked, of all nodes so far.
    """

    def __init__(self, model: Model, store: OptionStore) -> None:
        from campanula.stages.kernels.bitext.left_records import Ranked

        n_rows = len(model.score)
        n_nodes = len(model.row_start) - 1
        # empty arrays take memory page by page when rows are used; 36 bytes a row if all are
        self.arrays = Ranked(
            np.empty(n_rows),
            np.empty(n_rows, np.int32),
            np.empty(n_rows, np.int64),
            np.empty(n_rows, np.int32),
            np.zeros(n_nodes, np.bool_),
            np.zeros(n_rows, np.int64),
        )
        self._model = model
        self._store = store
        self._met = np.zeros(n_nodes, np.bool_)

    def rank(self, nodes: Ints) -> None:
        """Sort the rows of nodes met for the first time: by value, and by their target's key."""
        from campanula.stages.kernels.bitext import phrase_rows
        from campanula.stages.kernels.search import options as search_options

        nodes = nodes[~self._met[nodes]]
        if not len(nodes):
            return
        self._met[nodes] = True
        store = self._store
        ranked = self.arrays
        table = store.table
        first = table.row_start[nodes]
        size = table.row_start[nodes + 1] - first
        _, row = expand(first, size)
        owner = np.repeat(np.arange(len(nodes)), size)
        value = search_options.row_values(row, table, store.lm, store.row_weights)
        sparse = store.sparse_scores(nodes)
        if len(sparse):
            value += sparse
        key = phrase_rows.row_keys(row, table.target_start, table.target_word)
        ranked.value[row] = value
        ranked.best[row] = row[np.lexsort((-value, owner))]
        order = np.lexsort((key, owner))
        ranked.key[row] = key[order]
        ranked.key_row[row] = row[order]
        # whole: the rows' counts n(f, e) add up to n(f), so the table has every block of f
        total = np.bincount(owner, self._model.count[row, 2], len(nodes))
        ranked.whole[nodes] = total == self._model.count[table.row_start[nodes], 1]
