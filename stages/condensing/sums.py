"""Sums of the learned weights that fire in blocks, by the kernels of the search.

    column of a block                  sum of theta_v over the features v of its templates that fire
    orientation of a block, either     the weights of the block's features with that orientation
    side (6,): backward, forward

The features of a block are looked up by their keys (hashes), so that ten million weights take only
the memory of their arrays.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.feature_names.sparse import PREFIXES
from campanula.stages.condensing.columns import LearnedColumn, LearnedColumns
from campanula.stages.condensing.rows import SOURCE, TARGET, RowPhrases, TableRows
from campanula.stages.decoding.sparse.options import SparseWeights, names_on, weights_by_key

N_ORIENTATIONS = 6


class LearnedSums:
    """Sums of weights of the features of some columns.

    Raises DataError for a weight whose name no feature has.
    """

    def __init__(self, given: SparseWeights, columns: LearnedColumns) -> None:
        self._keys = weights_by_key(given)
        self.columns = columns
        self._n_by_kind = _count(given)

    def weights(self, column: LearnedColumn) -> int:
        """Return the number of weights other than 0 that belong to a column."""
        return int(self._n_by_kind[column.kinds()].sum())

    def local(self, rows: TableRows) -> Floats:
        """Return sums (n_rows, n_columns) for the columns of a phrase table."""
        from campanula.stages.kernels.sparse import blocks

        source, target = (rows.phrases(side) for side in (SOURCE, TARGET))
        owner = np.arange(len(rows.fields))
        mark = self._marks(target)
        place = np.arange(len(mark), dtype=np.int32)
        pairs = (self._marks(source), source.start, owner, place, target.start[:-1])
        table = self._keys.table._replace(mark=mark)
        # row x pairs source x with target x, so the owners of the pairs are just numbered
        value = np.empty((len(owner), len(self.columns.local)))
        for number, column in enumerate(self.columns.local):
            # the weights stay where they are; a column only switches off the kinds that are not its
            # own
            own = table._replace(on=table.on & column.kinds())
            value[:, number] = blocks.block_scores(*pairs, target.start[1:], own)
        return value

    def oriented(self, rows: TableRows) -> Floats:
        """Return sums (n_rows, 6) for a reordering table.

        The columns are monotone, swap and other of the backward side, then of the forward side.
        """
        from campanula.stages.kernels.sparse import blocks

        column = self.columns.oriented
        assert column is not None
        source, target = (rows.phrases(side) for side in (SOURCE, TARGET))
        owner = np.arange(len(rows.fields))
        mark = self._marks(target)
        place = np.arange(len(mark), dtype=np.int32)
        pairs = (self._marks(source), source.start, owner, place)
        key = blocks.block_keys(*pairs, target.start[:-1], target.start[1:], mark)
        return blocks.sided_scores(key, column.sides(), self._keys.table)

    def _marks(self, phrases: RowPhrases) -> Ints:
        return self._keys.marks(phrases.text, phrases.word)


def _count(given: SparseWeights) -> Ints:
    """Return the number of weights other than 0 by kind of feature (n_kinds,)."""
    if given.mapped is not None:
        theta = given.mapped.stream.theta
        # weights may be of a shorter prefix of the inventory than the index knows
        kind = given.mapped.index.kind[: len(theta)][theta != 0.0].astype(np.int64)
    else:
        number = {prefix: k for k, prefix in enumerate(PREFIXES)}
        weighty = (name for name in names_on(given) if given.theta[name] != 0.0)
        kind = np.array([number[name.partition("_")[0]] for name in weighty], np.int64)
    return np.bincount(kind, minlength=len(PREFIXES))[: len(PREFIXES)]
