"""The order in which a solver goes through the lists."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from campanula.formats.arrays.types import Ints


def orders(n: int, epochs: int, shuffle: bool, seed: int) -> Iterator[Ints]:
    """Yield the order of n lists in each epoch: 0 to n - 1, or a random one if `shuffle`."""
    # one generator for all epochs: with one for each, all would have the same order
    rng = np.random.default_rng(seed)
    for _ in range(epochs):
        yield rng.permutation(n) if shuffle else np.arange(n)
