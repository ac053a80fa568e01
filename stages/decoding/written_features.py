"""The dense features that a search writes, and the weights that it searches with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.model.model import Model
from campanula.formats.records.names import Names
from campanula.stages.kernels.records import DISTORTION, LM, first_reordering


class Written(NamedTuple):
    """Features to write (n,): columns among the model's features, ids, weights, and names."""

    column: Ints
    ids: Ids
    weight: Floats
    names: Names

    @classmethod
    def of(
        cls,
        model: Model,
        on: Iterable[str] | None,
        theta: Floats,
        ids_of: Callable[[list[str]], Ids],
    ) -> Written:
        """Return the features that are on, None for model.feature_names().

        theta: by model.all_features(); ids_of: returns the ids of names.
        """
        features = model.all_features()
        names_on = model.feature_names() if on is None else set(on)
        written = [name for name in features if name in names_on]
        column = np.array([features.index(name) for name in written], dtype=np.int64)
        return cls(column, ids_of(written), theta[column], Names(written))


def first_other_lm(model: Model) -> int:
    """Return the place of LM1 among the features with that of LM0 first."""
    n_moses = first_reordering(model.score.shape[1]) + model.reordering.shape[1]
    return int(n_moses + 2 * (model.distortion.size > 0))  # two features of a distortion table


def lm_weights(model: Model, full: Floats) -> Floats:
    """Return the weights (n_lms,) of the language models; (1,) without any.

    full: as in SearchWeights.
    """
    others = first_other_lm(model)
    return np.concatenate([full[[LM]], full[others : others + model.n_lms - 1]])


class SearchWeights(NamedTuple):
    """Weights that a search takes.

    full: by features with that of LM0 first, also for a model without one; full[0] is the weight of
    every word in LM0, with that of LMRest0 added; first: what the first word of a phrase weighs
    more (LMFirst0 less LMRest0); lm (n_lms,): of every word in each language model; distortion: of
    Distortion0; jump (2,) or (0,): of a distortion table's features.
    """

    full: Floats
    first: float
    lm: Floats
    distortion: float
    jump: Floats

    @classmethod
    def of(cls, model: Model, theta: Floats) -> SearchWeights:
        """Return the search's weights from theta, the weights of model.all_features()."""
        full = np.concatenate([[0.0], theta])  # the kernels have a column for LM0 in any case
        split = np.zeros(2)
        if model.lm is not None:
            full = theta.copy()
            split = theta[-2:]  # LMFirst0, LMRest0
        full[LM] += split[1]
        others = first_other_lm(model)
        jump = full[others - 2 * (model.distortion.size > 0) : others]
        first = float(split[0] - split[1])
        return cls(full, first, lm_weights(model, full), float(full[DISTORTION]), jump)
