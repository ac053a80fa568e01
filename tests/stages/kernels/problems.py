"""A small tuning problem as the kernels see it, and as plain lists."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from campanula.stages.kernels.lists.formulas import Targets
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.tuning.packing import join
from campanula.stages.tuning.pairs import PairSampling, with_pairs
from tests.examples import random_lists


class Problem(NamedTuple):
    lists: Lists
    theta: np.ndarray
    targets: Targets
    rows: list
    names: list

    def spans(self):
        pointer = self.lists.list_pointer.tolist()
        return list(pairwise(pointer))

    def target(self, first, last):
        """Costs and reaches of hypotheses first to last, and room for their coefficients."""
        cost, reaches = self.targets.cost[first:last], self.targets.reaches[first:last]
        return cost, reaches, np.empty(last - first)

    def plain(self, i, s):
        """Arguments of the naive losses for list i at scores s."""
        first, last = self.spans()[i]
        pairs = slice(*self.targets.pair_pointer[i : i + 2])
        better, worse = self.targets.better[pairs], self.targets.worse[pairs]
        part = self.targets.cost, self.targets.gain, self.targets.reaches
        return (
            s.tolist(),
            *(column[first:last].tolist() for column in part),
            list(zip(better.tolist(), worse.tolist(), strict=True)),
        )


def problem(seed=21, n_lists=6, max_size=6):
    """Random lists of dense, sparse and binary features; some reach a reference, some do not."""
    records, rows = random_lists(seed, n_lists, max_size)
    names = list(records[0].names)
    rng = np.random.default_rng(seed)
    gain = np.concatenate([record.gain for record in records])
    reaches = rng.random(len(gain)) < 0.3
    targets = Targets.of(gain, reaches, 3.0, n_lists)
    lists = join([record.features for record in records])
    sampling = PairSampling(40, 5, 0.05, 1)
    targets = with_pairs(targets, lists.list_pointer, np.arange(n_lists), sampling)
    return Problem(lists, rng.normal(size=len(names)), targets, rows, names)
