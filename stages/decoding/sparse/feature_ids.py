"""Ids of features that fire, by their keys; names are built of new features only."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from campanula.formats.arrays.growing import Column
from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.stages.decoding.sparse.feature_index import FULL, copied, empty_table
from campanula.stages.decoding.sparse.name_parsing import text_of

Spell = Callable[[Ints], tuple[Bytes, Ints]]
"""Returns the names of the features at some places of a lookup's keys: one text, and where each
begins (n + 1,).
"""


class KeyTable:
    """A hash table that numbers keys in the order in which they come first."""

    def __init__(self) -> None:
        self._table = empty_table(0)
        self._size = np.zeros(1, np.int64)

    def numbers(self, key: Ints) -> tuple[Ids, Ints]:
        """Return the numbers (n,) of keys, and the places of new keys, each key once."""
        from campanula.stages.kernels.sparse import tables

        most = int(self._size[0]) + len(key)
        if FULL * len(self._table[0]) < most:
            self._table = copied(*self._table, 2 * most)
        return tables.number_keys(*self._table, key, self._size)


class NamedFeatures:
    """Ids in a table of names, to which new names are added in the order in which they come."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._keys = KeyTable()
        self._id = Column(np.int32)  # id of each key, by its number

    def ids_of(self, names: list[str]) -> Ids:
        """Return the ids (n,) of features that all lists have; new names are added."""
        return np.array([self.names.id(name) for name in names], np.int32)

    def expect(self, key: Ints, names: list[str]) -> None:
        """Give features their ids before a list has them; key (n,): of each name."""
        self.ids(key, lambda places: text_of([names[place] for place in places.tolist()]))

    def ids(self, key: Ints, spell: Spell) -> Ids:
        """Return the ids (n,) of features by their keys; new features are named and added."""
        number, new = self._keys.numbers(key)
        if len(new):
            text, pointer = spell(new)
            self._id.extend(self.ids_of(list(Texts(text.tobytes(), pointer))))
        return self._id.values[number]

    def leave_out(self, n: int) -> None:
        """Do nothing: every feature gets an id."""
