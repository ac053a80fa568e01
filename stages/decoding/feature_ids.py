"""Ids of features that fire, by their keys; a name is built when it is new."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from campanula.formats.arrays.growing import Column
from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.stages.decoding.feature_index import FULL, copied, empty_table
from campanula.stages.decoding.name_parsing import text_of

Spell = Callable[[Ints], tuple[Bytes, Ints]]
"""Gives the names of the features at some places of the keys that are looked up: one text, and
where each begins (n + 1,).
"""


class KeyTable:
    """Numbers of keys, in the order in which they are met."""

    def __init__(self) -> None:
        self._table = empty_table(0)
        self._size = np.zeros(1, np.int64)

    def numbers(self, key: Ints) -> tuple[Ids, Ints]:
        """Numbers (n,) of keys, and the places of those that are new, each once."""
        from campanula.stages.kernels.sparse import tables

        most = int(self._size[0]) + len(key)
        if FULL * len(self._table[0]) < most:
            self._table = copied(*self._table, 2 * most)
        return tables.number_keys(*self._table, key, self._size)


class NamedFeatures:
    """Ids in a table of names, to which names are added in the order in which they are met."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._known = KeyTable()
        self._id = Column(np.int32)

    def ids_of(self, names: list[str]) -> Ids:
        """Ids of features that all lists have."""
        return np.array([self.names.id(name) for name in names], np.int32)

    def expect(self, key: Ints, names: list[str]) -> None:
        """Give features their ids before any list has them."""
        self.ids(key, lambda places: text_of([names[place] for place in places.tolist()]))

    def ids(self, key: Ints, spell: Spell) -> Ids:
        """Ids (n,) of features by their keys."""
        number, new = self._known.numbers(key)
        if len(new):
            text, pointer = spell(new)
            self._id.extend(self.ids_of(list(Texts(text.tobytes(), pointer))))
        return self._id.values[number]

    def leave_out(self, n: int) -> None:
        """Do nothing: none is left out."""
