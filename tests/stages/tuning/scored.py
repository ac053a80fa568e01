"""Small random lists with statistics of BLEU, as plain tuples and as the arrays of the kernels."""

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.records.features import Features
from campanula.formats.records.names import Names
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.tuning.packing import join
from tests.naive.bleu import statistics

WORDS = ["a", "b", "c", "d"]


def random_stats(rng):
    """Statistics of a random hypothesis, at times empty, against a random reference."""
    hypothesis = " ".join(rng.choice(WORDS, rng.integers(0, 7)))
    return tuple(statistics(hypothesis, [" ".join(rng.choice(WORDS, rng.integers(1, 7)))]))


def random_plain(seed, n_lists=4, max_size=6, n_features=3, whole=True):
    """Lists of (features, stats); whole: small integers, zeros often, so that much ties."""
    rng = np.random.default_rng(seed)
    plain = []
    for _ in range(n_lists):
        one = []
        for _ in range(rng.integers(1, max_size + 1)):
            f = rng.integers(-2, 3, n_features) if whole else rng.normal(size=n_features)
            one.append((tuple(map(float, f)), random_stats(rng)))
        if rng.random() < 0.3:
            one.append((one[0][0], random_stats(rng)))
        plain.append(one)
    return plain


def packed(plain) -> tuple[Lists, Ints]:
    """The same as (lists, stats); zeros are not stored: features are dense, sparse, or binary."""
    n_features = len(plain[0][0][0])
    names = Names(f"f{k}" for k in range(n_features))
    parts = [
        Features.of([{f"f{k}": v for k, v in enumerate(f) if v} for f, _ in one], names)
        for one in plain
    ]
    stats = np.array([stats for one in plain for _, stats in one], np.int64)
    return join(parts), stats
