"""How many lists have each feature: those that few have are dropped, dense ones stay."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import ExitStack

import numpy as np

from campanula.formats.arrays.growing import grown_with_zeros
from campanula.formats.arrays.types import Flags
from campanula.formats.atomic import temporary_folder
from campanula.formats.collections.opening import open_lists
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Writer


class ListCounts:
    """How many lists have each feature, and in how many all hypotheses do, by feature id."""

    def __init__(self) -> None:
        self._n_lists = 0
        self._some = np.zeros(1024, np.uint32)
        self._every = np.zeros(1024, np.uint32)

    def add(self, kbest: KBest) -> None:
        """Count the features of one list."""
        self._some = grown_with_zeros(self._some, len(kbest.names))
        self._every = grown_with_zeros(self._every, len(kbest.names))
        self._some[kbest.features.present()] += 1
        self._every[kbest.features.dense_id] += 1
        self._n_lists += 1

    def kept(self, n_names: int, min_count: int) -> Flags:
        """Return which features (n_names,) stay: the dense ones, and those of min_count lists."""
        some = self._some[:n_names]
        every = self._every[:n_names]
        # without any list the arrays have not grown to the number of names of an inventory
        every = np.pad(every, (0, n_names - len(every)))
        some = np.pad(some, (0, n_names - len(some)))
        return np.asarray((every == self._n_lists) | (some >= min_count), np.bool_)


def counted(
    path: str,
    min_count: int,
    watch: Callable[[Iterable[KBest]], Iterable[KBest]],
    stack: ExitStack,
) -> tuple[str, Flags]:
    """Return the path to read the lists from again, and which of their features stay (n_names,).

    Lists that cannot be read twice are copied to a file, which goes when `stack` is closed.
    `watch` passes the lists on behind a progress bar.
    """
    counts = ListCounts()
    with open_lists(path, KBest) as lists, ExitStack() as copying:
        copy = None
        # a pipe can be read once only
        if not os.path.isfile(path) and not os.path.isdir(path):
            folder = stack.enter_context(temporary_folder())
            path = os.path.join(folder, "lists")
            copy = copying.enter_context(
                Writer(path, KBest, lists.signature, lists.metric, lists.inventory)
            )
        for kbest in watch(lists):
            counts.add(kbest)
            if copy is not None:
                copy.write(kbest)
        return path, counts.kept(len(lists.names), min_count)
