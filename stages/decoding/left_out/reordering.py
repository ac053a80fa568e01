"""Reordering scores of a training sentence's blocks, without the pair's own orientations.

    p(o | f, e) = (N(o, f, e) - n(o, f, e) + 0.5) / (N(f, e) - n(f, e) + 1.5)

for orientations before the block and after it (Koehn et al. 2005).  The counts n are those of the
sentence pair itself; the counts N of the whole text are computed from the table's scores and
N(f, e).
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ints, Singles
from campanula.formats.errors import DataError
from campanula.formats.model.files import ORIENTATIONS, ReorderingTable
from campanula.formats.model.model import Model
from campanula.formats.moses.reordering_table import N_SCORES
from campanula.stages.decoding.left_out.own_counts import OwnBlocks, orientations_of
from campanula.stages.decoding.left_out.relative_frequencies import TOLERANCE, block_text
from campanula.stages.decoding.left_out.training_text import Batch

SMOOTHING = 0.5  # added to every count by extract-blocks and Moses
SIDES = (slice(0, 3), slice(3, 6))  # columns of orientations before and after the block


class LeftReordering:
    """Leaves sentence pairs out of the scores of a model's reordering tables.

    longest: words of the longest phrase; name: name of the training text in messages.
    """

    def __init__(
        self, model: Model, tables: tuple[ReorderingTable, ...], longest: int, name: str
    ) -> None:
        self._model = model
        self._tables = tables
        self._longest = longest
        self._name = name

    def scores(self, batch: Batch, row: Ints, block: Ints, blocks: OwnBlocks) -> Singles:
        """Return the scores (n, 6 * n_tables) of rows, as in Model.reordering.

        block (n,): the row's block of the batch, -1 for none.  Raises DataError for scores that are
        no shares of counts, and for a pair with a larger count than the whole text.
        """
        score = self._model.reordering[row]
        changed = np.flatnonzero(block >= 0)
        row = row[changed]
        block = block[changed]
        for k, table in enumerate(self._tables):
            columns = slice(N_SCORES * k, N_SCORES * (k + 1))
            before = score[changed, columns].astype(np.float64)
            scored = np.flatnonzero(before.any(axis=1))  # blocks that the table lacks have zeros
            kind = ORIENTATIONS.index(table.orientation)
            own = orientations_of(batch, blocks, self._longest, kind)[block[scored]]
            counts = self._counts(table, row[scored], before[scored])
            left = counts - own
            wrong = np.flatnonzero(left.min(axis=1, initial=0) < 0)
            if len(wrong):
                x = wrong[0]
                pair = int(blocks.pair[block[scored[x]]])
                raise self._misfit(table, batch, pair, int(row[scored[x]]), counts[x], own[x])
            total = self._model.count[row[scored], 2] - own[:, SIDES[0]].sum(axis=1)
            share = (left + SMOOTHING) / (total + 3 * SMOOTHING)[:, None]
            score[changed[scored], columns] = np.log(share)
        return score

    def _counts(self, table: ReorderingTable, row: Ints, score: Floats) -> Floats:
        """Return the counts (n, 6) from which the scores of rows were computed."""
        total = self._model.count[row, 2].astype(np.float64)[:, None]
        # + 0.0 turns -0.0 into 0.0, which a message would show as -0
        count = np.rint(np.exp(score) * (total + 3 * SMOOTHING) - SMOOTHING) + 0.0
        again = np.log((np.maximum(count, 0) + SMOOTHING) / (total + 3 * SMOOTHING))
        wrong = ~(np.abs(again - score) < TOLERANCE).all(axis=1)
        # relative: the few digits of a table give a share, and so a count, a relative error
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
        """Return the error of a pair with a larger count of an orientation than its table."""
        expected, found = (" ".join(f"{n:.0f}" for n in row) for row in (counts, own))
        problem = f"expected at most the counts {expected} of {table.path}, found {found}"
        place = f"line {batch.first + pair + 1}: block '{block_text(self._model, row)}'"
        return DataError(self._name, place, f"{problem} in this pair alone: they do not fit")
