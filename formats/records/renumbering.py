"""Renumbers features of lists from their own names table to a larger, common one.

Like `Names.ids_of`, but for many tables of which one is in use at a time: an earlier table is not
kept in memory.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.growing import Column
from campanula.formats.records.features import Features
from campanula.formats.records.names import Names


class Renumbering:
    """Maps ids of the table `theirs` to ids of `ours`, to which missing names are added.

    `theirs` may grow meanwhile.
    """

    def __init__(self, theirs: Names, ours: Names) -> None:
        self._theirs = theirs
        self._ours = ours
        self._ids = Column(np.int32)
        self._same = True  # whether all ids so far are the same in both tables

    def renumbered(self, features: Features) -> Features:
        """Return the features with ids of our table."""
        start = len(self._ids)
        size = len(self._theirs)
        if start < size:
            fresh = [self._ours.id(name) for name in self._theirs.since(start)]
            self._ids.extend(np.asarray(fresh, np.int32))
            self._same = self._same and fresh == list(range(start, size))
        return features if self._same else features.translate(self._ids.values)
