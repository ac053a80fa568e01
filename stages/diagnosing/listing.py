"""The features that get a line of their own, and counts of all other features.

In lists with up to MOST features all get a line, in others those that every hypothesis has.  Or the
user names them by patterns.  The other features, mostly sparse ones, are counted.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import translate

import numpy as np

from campanula.formats.arrays.distinct import distinct
from campanula.formats.arrays.growing import grown_with_zeros
from campanula.formats.arrays.types import Ids
from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory_names import NumberedNames
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names

MOST = 100
AHEAD = 16
"""Number of lists that are looked at before the first is counted.  A feature that all hypotheses of
one list have may be missing in the next, and a line costs memory for each pair with other lines."""


@dataclass(frozen=True, slots=True)
class Others:
    """Counts of the features without a line of their own.

    features: their number.  in_one_list: how many of them occur in one list only.  each: how many
    of them a hypothesis has on average, with values that are not 0.
    """

    features: int
    in_one_list: int
    each: float


class Listing:
    """Decides which features get a line: `ids` (n_listed,), in the order in which they occur."""

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
        """Yield the lists; AHEAD lists behind a list are looked at before it is yielded."""
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
        self._some = grown_with_zeros(self._some, size)
        self._every = grown_with_zeros(self._every, size)
        stored = distinct(np.concatenate(kbest.used_ids))
        fresh = stored[self._some[stored] == 0]
        self._some[stored] += 1
        self._every[kbest.features.dense_id] += 1
        self._n_features += len(fresh)
        self._list(fresh)
        self._count_entries(kbest)

    def _list(self, fresh: Ids) -> None:
        """Give new features a line.

        Without patterns: once there are more than MOST lines, no feature gets one any more, and
        features that some hypothesis lacks lose theirs.
        """
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
        matching = [key for key, pattern in self._patterns.items() if pattern.fullmatch(name)]
        self._matched |= dict.fromkeys(matching, True)
        return bool(matching)

    def _count_entries(self, kbest: KBest) -> None:
        """Count the values that are not 0, of features with and without a line."""
        features = kbest.features
        self._n_hyps += len(kbest)
        self._entries += int(np.count_nonzero(features.dense)) + len(features.binary_id)
        self._entries += int(np.count_nonzero(features.sparse_value))

    def check(self, source: str) -> None:
        """Raise DataError, with `source` as the place, for a pattern that matches no feature."""
        for pattern, matched in self._matched.items():
            if not matched and self._n_lists:
                problem = f"expected a feature that --feature {pattern} matches, found none"
                raise DataError(source, None, problem)

    def others(self, listed_entries: int) -> Others | None:
        """Return the counts of features without a line; None if all have one.

        listed_entries: number of values other than 0 of the features with a line.
        """
        n = self._n_features - len(self.ids)
        if not n:
            return None
        once = int(np.count_nonzero(self._some == 1))
        once -= int(np.count_nonzero(self._some[self.ids] == 1))
        return Others(n, once, (self._entries - listed_entries) / self._n_hyps)
