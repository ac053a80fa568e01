"""Options of one training sentence, with scores computed without its own counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints, Singles
from campanula.formats.model.model import Model
from campanula.stages.kernels.records import ROW, SCORES

if TYPE_CHECKING:
    from campanula.stages.kernels.lm.left_records import LeftLanguageModel
    from campanula.stages.kernels.records import AnyLanguageModel, LanguageModel


class OptionScores(NamedTuple):
    """Options by their numbers in the store (n,), with scores in which own counts are left out.

    change (n, n_columns): added to their log probabilities; reordering (n, ...): as in Model, None
    for those of the model.
    """

    number: Ints
    change: Floats
    reordering: Singles | None

    def subset(self, options: slice) -> OptionScores:
        """Return the scores of a span of the options."""
        reordering = None if self.reordering is None else self.reordering[options]
        return OptionScores(self.number[options], self.change[options], reordering)

    def and_copies(self, number: Ints) -> OptionScores:
        """Return these, then zeros for options that copy unknown words; number: of the copies."""
        reordering = self.reordering
        if reordering is not None:
            reordering = np.pad(reordering, ((0, len(number)), (0, 0)))
        change = np.concatenate([self.change, np.zeros((len(number), self.change.shape[1]))])
        return OptionScores(np.concatenate([self.number, number]), change, reordering)


@dataclass(frozen=True)
class OwnOptions:
    """Options of one sentence: first and count (n, longest) as in Sentence, numbered from 0.

    number (n_options,): their numbers in the store; change (n_options, n): added to their scores,
    log probabilities, in these columns (n,) of the phrase table; reordering (n_options, ...): their
    reordering scores, as in Model, None for those of the model; lm: the language models without the
    sentence, None for those of the model.
    """

    first: Ids
    count: Ids
    number: Ints
    change: Floats
    columns: Ints
    reordering: Singles | None = None
    lm: LeftLanguageModel | None = None

    def places(self, option: Ids) -> Ints:
        """Return the places (n,) among these options of options of the store."""
        # options are not in the order of their numbers in the store
        order = np.argsort(self.number, kind="stable")
        return order[np.searchsorted(self.number, option, sorter=order)]

    def add_changes(self, value: Floats, offset: Ints, option: Ids | Ints) -> None:
        """Add the changes of scores to the features (n_hyps, ...) of derivations, in place.

        Derivation h has the options option[offset[h]:offset[h + 1]], at least one.
        """
        for k, column in enumerate(self.columns.tolist()):
            # reduceat would give a derivation without options the first change of the next one
            value[:, SCORES + column] += np.add.reduceat(self.change[option, k], offset[:-1])

    def add_to_arcs(self, value: Floats, option: Ids | Ints) -> None:
        """Add the changes of scores to the features (n_features, n_arcs) of arcs, in place."""
        value[SCORES + self.columns] += self.change[option].T

    def rows(self, model: Model, info: Ids) -> tuple[Model, Ids]:
        """Return a model whose rows are these options, and info with the numbers of these rows.

        So kernels read the sentence's own reordering scores.  info (n_options, 6): of the options
        (records.Options).
        """
        if self.reordering is None:
            return model, info
        row = info[:, ROW]
        info = info.copy()
        # row -1 stays: the option copies an unknown word, which no table scores
        info[:, ROW] = np.where(row < 0, row, np.arange(len(row)))
        score = model.score[np.maximum(row, 0)]
        return replace(model, score=score, reordering=self.reordering), info

    def reordering_change(self, model: Model, info: Ids) -> Floats:
        """Return the difference (n_options, ...) of the own reordering scores from the model's."""
        if self.reordering is None:
            return np.zeros((len(info), 0))
        row = info[:, ROW]
        # in double precision, since that of the tables would round the difference
        change = self.reordering.astype(np.float64) - model.reordering[np.maximum(row, 0)]
        change[row < 0] = 0.0
        return change


def own_rows(own: OwnOptions | None, model: Model, info: Ids) -> tuple[Model, Ids]:
    """Return model and info as they are, or those of a sentence's own options (OwnOptions.rows)."""
    return (model, info) if own is None else own.rows(model, info)


def own_lm(own: OwnOptions | None, lm: LanguageModel) -> AnyLanguageModel:
    """Return the language models of a sentence: its own if it has some, else `lm`."""
    return lm if own is None or own.lm is None else own.lm
