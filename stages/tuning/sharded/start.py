"""The weights from which a tuning on lists with ids of an inventory starts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Flags, Floats
from campanula.formats.errors import DataError
from campanula.formats.records.names import Names
from campanula.stages.inventories.weights_by_id import WeightsById, frequent
from campanula.stages.tuning.sharded.loading import refuse_names
from campanula.stages.tuning.tune_inputs import TuneInputs


@dataclass(frozen=True, slots=True)
class Start:
    """Weights to start from, theta0, and the mask of features to keep; (n_features,) each."""

    weights: WeightsById
    origin: Floats
    kept: Flags | None

    @classmethod
    def of(cls, inputs: TuneInputs, list_names: Names, source: str) -> Start:
        """Read the weights, and theta0 (default: the weights), for lists with these names.

        Raises DataError for weights that do not fit, and, with `source` as the file, for lists
        that have names of their own or an inventory without names.
        """
        names = refuse_names(list_names, source)
        if not len(names):
            problem = "expected features to weigh, found lists against an inventory without names"
            raise DataError(source, None, problem)
        weights = WeightsById.read(inputs.weights, names, source)
        origin = weights.theta
        if isinstance(inputs.center, str):
            origin = WeightsById.read(inputs.center, names, source).theta
        elif inputs.center is not None:
            # one number seen as n_features: no memory for tens of millions of features
            origin = np.broadcast_to(inputs.center, len(names))
        kept = None if inputs.min_count is None else frequent(names, inputs.min_count, source)
        return cls(weights, origin, kept)
