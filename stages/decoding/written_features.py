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


class SearchWeights(NamedTuple):
    """Weights that a search takes: `full`, by features with a language model's first.

    What LMFirst0 and LMRest0 weigh is in full[0], the weight of every word, and `first`, what a
    phrase's first word weighs more.  distortion is that of Distortion0, jump (2,) or (0,) those of
    a distortion table's features.
    """

    full: Floats
    first: float
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
        alone = first_reordering(model.score.shape[1])
        jump = full[alone + model.reordering.shape[1] :][:2]
        return cls(full, float(split[0] - split[1]), float(full[DISTORTION]), jump)
