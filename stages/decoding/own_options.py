"""Options of one training sentence, with scores that its own counts are left out of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints, Singles
from campanula.formats.model.model import Model
from campanula.stages.kernels.records import ROW, SCORES

if TYPE_CHECKING:
    from campanula.stages.kernels.lm.left_records import LeftLanguageModel
    from campanula.stages.kernels.records import AnyLanguageModel, LanguageModel


@dataclass(frozen=True)
class OwnOptions:
    """Options of one sentence: first and count (n, longest) as in Sentence, numbered from 0.

    `number` (n_options,) are those of the store; `change` (n_options, n) is added to their scores,
    log probabilities, in these columns (n,) of the phrase table.  `reordering` (n_options, ...) are
    their reordering scores, as in Model; None for those of the model.  `lm` are the language models
    without the sentence; None where it stays in them.
    """

    first: Ids
    count: Ids
    number: Ints
    change: Floats
    columns: Ints
    reordering: Singles | None = None
    lm: LeftLanguageModel | None = None

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

    def rows(self, model: Model, info: Ids) -> tuple[Model, Ids]:
        """The model with the scores of these options for rows, and info that has these rows.

        info (n_options, 6) is that of the options (records.Options).
        """
        if self.reordering is None:
            return model, info
        row = info[:, ROW]
        info = info.copy()
        info[:, ROW] = np.where(row < 0, row, np.arange(len(row)))
        score = model.score[np.maximum(row, 0)]
        return replace(model, score=score, reordering=self.reordering), info

    def reordering_change(self, model: Model, info: Ids) -> Floats:
        """What is added to the model's reordering scores (n_options, ...)."""
        if self.reordering is None:
            return np.zeros((len(info), 0))
        row = info[:, ROW]
        change = self.reordering.astype(np.float64) - model.reordering[np.maximum(row, 0)]
        change[row < 0] = 0.0
        return change


def own_rows(own: OwnOptions | None, model: Model, info: Ids) -> tuple[Model, Ids]:
    """Model and info of options, or those of a sentence's own (OwnOptions.rows)."""
    return (model, info) if own is None else own.rows(model, info)


def own_lm(own: OwnOptions | None, lm: LanguageModel) -> AnyLanguageModel:
    """Language models, or those of a sentence with its own."""
    return lm if own is None or own.lm is None else own.lm
