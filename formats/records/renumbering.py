"""Features of lists that have a table of names of their own, by the ids of a larger one.

As `Names.ids_of`, for many tables of which one is in use at a time: nothing of the others is kept.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.growing import Column
from campanula.formats.records.features import Features
from campanula.formats.records.names import Names


class Renumbering:
    """Ids of `ours` for those of `theirs`; both may grow, ours by the names of theirs."""

    def __init__(self, theirs: Names, ours: Names) -> None:
        self._theirs, self._ours = theirs, ours
        self._ids = Column(np.int32)
        self._same = True

    def of(self, features: Features) -> Features:
        """Features with ids of our table."""
        known, size = len(self._ids), len(self._theirs)
        if known < size:
            fresh = [self._ours.id(name) for name in self._theirs.since(known)]
            self._ids.extend(np.asarray(fresh, np.int32))
            self._same = self._same and fresh == list(range(known, size))
        return features if self._same else features.translate(self._ids.values)
