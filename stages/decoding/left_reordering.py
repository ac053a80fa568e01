"""Reordering scores of a training sentence's blocks, without the orientations of its own.

    p(o | f, e) = (N(o, f, e) - n(o, f, e) + 0.5) / (N(f, e) - n(f, e) + 1.5)

with the counts N of the whole text, before the block and after it (Koehn et al. 2005), which the
table's scores and N(f, e) tell, and those n that the sentence pair itself yields.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ints, Singles
from campanula.formats.errors import DataError
from campanula.formats.model.files import ORIENTATIONS, ReorderingTable
from campanula.formats.model.model import Model
from campanula.formats.moses.reordering_table import N_SCORES
from campanula.stages.decoding.own_counts import OwnBlocks, orientations_of
from campanula.stages.decoding.relative_frequencies import TOLERANCE, block_text
from campanula.stages.decoding.training_text import Batch

SMOOTHING = 0.5  # added to every count, as extract-blocks does, and Moses
SIDES = (slice(0, 3), slice(3, 6))  # before, after


class LeftReordering:
    """Leaves sentence pairs out of the scores of a model's reordering tables.

    longest: words of the longest phrase; name: that of the training text in messages.
    """

    def __init__(
        self, model: Model, tables: tuple[ReorderingTable, ...], longest: int, name: str
    ) -> None:
        self._model, self._tables = model, tables
        self._longest, self._name = longest, name

    def scores(self, batch: Batch, row: Ints, block: Ints, blocks: OwnBlocks) -> Singles:
        """Scores (n, 6 * n_tables) of rows, as in Model, each of which is a block of the batch or
        none, -1.

        Raises DataError for scores that are no shares of counts, and for a pair that has more.
        """
        score = self._model.reordering[row]
        changed = np.flatnonzero(block >= 0)
        row, block = row[changed], block[changed]
        for k, table in enumerate(self._tables):
            columns = slice(N_SCORES * k, N_SCORES * (k + 1))
            before = score[changed, columns].astype(np.float64)
            there = np.flatnonzero(before.any(axis=1))  # pairs that the table lacks have zeros
            kind = ORIENTATIONS.index(table.orientation)
            own = orientations_of(batch, blocks, self._longest, kind)[block[there]]
            counts = self._counts(table, row[there], before[there])
            left = counts - own
            wrong = np.flatnonzero(left.min(axis=1, initial=0) < 0)
            if len(wrong):
                x = wrong[0]
                place = (batch, int(blocks.pair[block[there[x]]]), int(row[there[x]]))
                raise self._misfit(table, *place, counts[x], own[x])
            total = self._model.count[row[there], 2] - own[:, SIDES[0]].sum(axis=1)
            share = (left + SMOOTHING) / (total + 3 * SMOOTHING)[:, None]
            score[changed[there], columns] = np.log(share)
        return score

    def _counts(self, table: ReorderingTable, row: Ints, score: Floats) -> Floats:
        """Counts (n, 6) that rows have scores of."""
        total = self._model.count[row, 2].astype(np.float64)[:, None]
        # 0.0 is added so that no zero is a negative one
        count = np.rint(np.exp(score) * (total + 3 * SMOOTHING) - SMOOTHING) + 0.0
        again = np.log((np.maximum(count, 0) + SMOOTHING) / (total + 3 * SMOOTHING))
        wrong = ~(np.abs(again - score) < TOLERANCE).all(axis=1)
        for side in SIDES:
            wrong |= np.abs(count[:, side].sum(axis=1) - total[:, 0]) > TOLERANCE * total[:, 0]
        if wrong.any():
            x = int(np.argmax(wrong))
            found = " ".join(f"{value:.6g}" for value in np.exp(score[x]))
            problem = f"expected shares of {total[x, 0]:.0f} counts with {SMOOTHING} added"
            place = f"row '{block_text(self._model, int(row[x]))}'"
            raise DataError(table.path, place, f"{problem}, found {found}")
        return np.asarray(count)

    def _misfit(
        self,
        table: ReorderingTable,
        batch: Batch,
        pair: int,
        row: int,
        counts: Floats,
        own: Ints,
    ) -> DataError:
        """Error of a pair with more of some orientation than its table."""
        expected, found = (" ".join(f"{n:.0f}" for n in each) for each in (counts, own))
        problem = f"expected at most the counts {expected} of {table.path}, found {found}"
        place = f"line {batch.first + pair + 1}: block '{block_text(self._model, row)}'"
        return DataError(self._name, place, f"{problem} in this pair alone: they do not fit")
