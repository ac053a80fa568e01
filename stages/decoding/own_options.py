"""Options of one training sentence, with scores that its own counts are left out of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.records import SCORES


@dataclass(frozen=True)
class OwnOptions:
    """Options of one sentence: first and count (n, longest) as in Sentence, numbered from 0.

    `number` (n_options,) are those of the store; `change` (n_options, n) is added to their scores,
    log probabilities, in these columns (n,) of the phrase table.
    """

    first: Ids
    count: Ids
    number: Ints
    change: Floats
    columns: Ints

    def places(self, option: Ids) -> Ints:
        """Places (n,) of options of the store among these."""
        order = np.argsort(self.number, kind="stable")
        return order[np.searchsorted(self.number, option, sorter=order)]

    def add_changes(self, value: Floats, offset: Ints, option: Ids | Ints) -> None:
        """Add to the features (n_hyps, ...) what changes in the options of each derivation.

        Derivation h has the options option[offset[h]:offset[h + 1]], at least one.
        """
        for k, column in enumerate(self.columns.tolist()):
            value[:, SCORES + column] += np.add.reduceat(self.change[option, k], offset[:-1])

    def add_to_arcs(self, value: Floats, option: Ids | Ints) -> None:
        """Add to the features (n_features, n_arcs) what changes in the option of each arc."""
        value[SCORES + self.columns] += self.change[option].T
