"""The features that a search writes, and the weights that it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.model.model import Model
from campanula.formats.records.names import Names
from campanula.stages.kernels.records import DISTORTION, LM, first_reordering


class Written(NamedTuple):
    """Features to write: their places among the model's, ids, weights, and own list of names."""

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
        """Those that are on, None for all that are when nothing is said; ids as ids_of gives them.

        theta is by model.all_features().
        """
        features = model.all_features()
        every = model.feature_names() if on is None else set(on)
        written = [name for name in features if name in every]
        column = np.array([features.index(name) for name in written], dtype=np.int64)
        return cls(column, ids_of(written), theta[column], Names(written))


def first_other_lm(model: Model) -> int:
    """Place of LM1 among features with a language model's first."""
    alone = first_reordering(model.score.shape[1]) + model.reordering.shape[1]
    return int(alone + 2 * (model.distortion.size > 0))


def lm_weights(model: Model, full: Floats) -> Floats:
    """Weights (n_lms,) of the language models, of `full` as in SearchWeights; one without any."""
    others = first_other_lm(model)
    return np.concatenate([full[[LM]], full[others : others + model.n_lms - 1]])


class SearchWeights(NamedTuple):
    """Weights that a search takes: `full`, by features with a language model's first.

    What LMFirst0 and LMRest0 weigh is in full[0], the weight of every word in LM0, and `first`,
    what a phrase's first word weighs more.  lm (n_lms,) are those of every word; distortion is that
    of Distortion0, jump (2,) or (0,) those of a distortion table's features.
    """

    full: Floats
    first: float
    lm: Floats
    distortion: float
    jump: Floats

    @classmethod
    def of(cls, model: Model, theta: Floats) -> SearchWeights:
        """Weights theta of model.all_features()."""
        full = np.concatenate([[0.0], theta])
        split = np.zeros(2)
        if model.lm is not None:
            full = theta.copy()
            split = theta[-2:]
        full[LM] += split[1]
        others = first_other_lm(model)
        jump = full[others - 2 * (model.distortion.size > 0) : others]
        first = float(split[0] - split[1])
        return cls(full, first, lm_weights(model, full), float(full[DISTORTION]), jump)
