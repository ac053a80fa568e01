"""Which features have a line of their own, and what there is of all others.

All have, of lists with up to MOST features; else those that every hypothesis has.  Or the user
names some by patterns.  The others, sparse features as a rule, are counted.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import translate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.distinct import distinct
from campanula.formats.arrays.types import Ids
from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory_names import NumberedNames
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names

MOST = 100
AHEAD = 16
"""Lists that are looked at before the first is counted: what one list has in all hypotheses need
not be what every list has, and a feature that has a line takes memory beside every other one."""


@dataclass(frozen=True, slots=True)
class Others:
    """Features without a line of their own, and how many of them one list alone has.

    each is how many of them a hypothesis has on average, with values that are not 0.
    """

    features: int
    in_one_list: int
    each: float


class Listing:
    """`ids` (n_listed,) are the features that have a line, in the order in which they are met."""

    def __init__(self, patterns: Sequence[str] = ()) -> None:
        self.ids: Ids = np.zeros(0, np.int32)
        self.names = Names()
        self._patterns = {pattern: re.compile(translate(pattern)) for pattern in patterns}
        self._matched = dict.fromkeys(patterns, False)
        self._narrow = False
        self._some = np.zeros(1024, np.uint32)
        self._every = np.zeros(1024, np.uint32)
        self._n_lists = self._n_features = 0
        self._entries = self._n_hyps = 0

    def watch(self, lists: Iterable[KBest]) -> Iterator[KBest]:
        """Pass lists on, some of them late: those behind them are looked at first."""
        waiting: deque[KBest] = deque()
        for kbest in lists:
            self.look(kbest)
            waiting.append(kbest)
            if len(waiting) > AHEAD:
                yield waiting.popleft()
        yield from waiting

    def look(self, kbest: KBest) -> None:
        """Look at the features of a list."""
        self.names = kbest.names
        self._n_lists += 1
        size = len(kbest.names)
        self._some, self._every = room(self._some, size), room(self._every, size)
        stored = distinct(np.concatenate(kbest.used_ids))
        fresh = stored[self._some[stored] == 0]
        self._some[stored] += 1
        self._every[kbest.features.dense_id] += 1
        self._n_features += len(fresh)
        self._list(fresh)
        self._count_entries(kbest)

    def _list(self, fresh: Ids) -> None:
        if self._patterns:
            fresh = np.array([i for i in fresh.tolist() if self._matches(i)], np.int32)
        if not self._narrow and len(fresh):
            self.ids = np.concatenate([self.ids, fresh])
        if self._patterns:
            return
        self._narrow = self._narrow or len(self.ids) > MOST
        if self._narrow and (self._every[self.ids] < self._n_lists).any():
            self.ids = self.ids[self._every[self.ids] == self._n_lists]

    def _matches(self, number: int) -> bool:
        if isinstance(self.names, NumberedNames):
            raise self.names.unknown()
        name = self.names[number]
        found = [key for key, pattern in self._patterns.items() if pattern.fullmatch(name)]
        self._matched |= dict.fromkeys(found, True)
        return bool(found)

    def _count_entries(self, kbest: KBest) -> None:
        """Count what is not 0, whether it will have a line or not."""
        features = kbest.features
        self._n_hyps += len(kbest)
        self._entries += int(np.count_nonzero(features.dense)) + len(features.binary_id)
        self._entries += int(np.count_nonzero(features.sparse_value))

    def check(self, source: str) -> None:
        """Raise DataError for a pattern that has matched no feature of the lists of that name."""
        for pattern, matched in self._matched.items():
            if not matched and self._n_lists:
                problem = f"expected a feature that --feature {pattern} matches, found none"
                raise DataError(source, None, problem)

    def others(self, listed_entries: int) -> Others | None:
        """Features without a line; None: there are none.

        listed_entries is how many values that are not 0 the features with a line have.
        """
        n = self._n_features - len(self.ids)
        if not n:
            return None
        once = int(np.count_nonzero(self._some == 1))
        once -= int(np.count_nonzero(self._some[self.ids] == 1))
        return Others(n, once, (self._entries - listed_entries) / self._n_hyps)


def room(array: NDArray[Any], size: int) -> NDArray[Any]:
    """Array with room for `size` entries, the new ones 0; twice that when it has to grow."""
    if size <= len(array):
        return array
    return np.concatenate([array, np.zeros(2 * size - len(array), array.dtype)])
