"""Names of a stream that are added to a growing inventory as they are read.

A stream numbers its names as it declares them.  Here a name becomes an id of the inventory at once,
and takes 5 bytes, where a table of names in Python takes some 600.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from campanula.formats.arrays.growing import Column, grown_with_zeros
from campanula.formats.arrays.types import Flags, Ids
from campanula.formats.records.columns import ColumnError
from campanula.formats.records.names import Names
from campanula.stages.inventories.growing import Growing


class GatheredNames(Names):
    """The names of one stream, kept as their ids in the inventory."""

    def __init__(self, growing: Growing) -> None:
        self._growing = growing
        self._column = Column(np.int32)
        self._declared: Flags = np.zeros(0, np.bool_)

    @property
    def ids(self) -> Ids:
        """Ids (n,) in the inventory, by the stream's own ids."""
        return self._column.values

    def __len__(self) -> int:
        return len(self._column)

    def __repr__(self) -> str:
        return f"<{len(self)} names of a stream in {self._growing!r}>"

    def __getitem__(self, index: int) -> str:
        return self._growing[int(self.ids[index])]

    def __iter__(self) -> Iterator[str]:
        return iter(self.since(0))

    def since(self, start: int) -> list[str]:
        """Return the names with ids of at least `start` in the stream."""
        return [self._growing[number] for number in self.ids[start:].tolist()]

    def extend(self, names: Iterable[str]) -> None:
        """Add names that the stream declares; raises ColumnError for one declared twice."""
        ids = self._growing.ids_of_names(names)
        self._declared = grown_with_zeros(self._declared, len(self._growing))
        again = ids[self._declared[ids]]
        self._declared[ids] = True
        # declared twice within the same call, which the mask of earlier ones cannot show
        if not len(again) and len(np.unique(ids)) < len(ids):
            again = np.sort(ids)[:-1][np.diff(np.sort(ids)) == 0]
        if len(again):
            name = self._growing[int(again[0])]
            raise ColumnError(f"feature name {name!r} is declared twice")
        self._column.extend(ids)


class Translation:
    """Ids in a growing inventory for the names of tables, which may grow, too."""

    def __init__(self, growing: Growing) -> None:
        self._growing = growing
        # by id() of the table; the table is kept, since the id of a lost object is used again
        self._translated: dict[int, tuple[Names, Ids]] = {}

    def ids_of(self, names: Names) -> Ids:
        """Return the ids of all names of a table so far, in its order."""
        if isinstance(names, GatheredNames):
            return names.ids
        _, ids = self._translated.get(id(names), (names, np.zeros(0, np.int32)))
        if len(ids) < len(names):
            fresh = self._growing.ids_of_names(names.since(len(ids)))
            ids = np.concatenate([ids, fresh])
            self._translated[id(names)] = (names, ids)
        return ids
