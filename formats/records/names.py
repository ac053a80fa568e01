"""Feature names and their ids in a stream.

Ids count up from 0 in the order in which names first occur.  A stream declares each new name in the
record that first uses it, so a reader knows every name before its id is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

import numpy as np

from campanula.formats.arrays.types import Ids
from campanula.formats.errors import repeated
from campanula.formats.records.columns import ColumnError, Record
from campanula.formats.records.numbering import unpack_numbered

BLANKS = " \t\r\n"
SHOWN = 5  # names in the repr of a table


def is_name(name: object) -> bool:
    """Whether a weights file can have a feature of this name.

    A name is text that UTF-8 can encode (no lone surrogates), without blanks, and not `#`.
    """
    return (
        isinstance(name, str)
        and name not in ("", "#")
        and not any(c in name for c in BLANKS)
        and not any("\ud800" <= c <= "\udfff" for c in name)
    )


class Names:
    """A growing table of feature names; `names[id]` is a name, `names.id(name)` its id.

    of_inventory: whether the ids are those of an inventory, of which there may be millions.
    """

    of_inventory: ClassVar[bool] = False

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names: list[str] = []
        self._ids: dict[str, int] = {}
        # by id() of another table: our ids, and the table itself, so that its id() stays in use
        self._translations: dict[int, tuple[Names, Ids]] = {}
        self.extend(names)

    def __repr__(self) -> str:
        shown = ", ".join(self._names[:SHOWN])
        return f"<{len(self)} names: {shown}{', ...' if len(self) > SHOWN else ''}>"

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, index: int) -> str:
        return self._names[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __contains__(self, name: str) -> bool:
        return name in self._ids

    def since(self, start: int) -> list[str]:
        """Return the names from id `start` on."""
        return self._names[start:]

    def id(self, name: str) -> int:
        """Return the id of a name; a new name is added."""
        number = self._ids.get(name)
        if number is None:
            number = self._ids[name] = len(self._names)
            self._names.append(name)
        return number

    def extend(self, names: Iterable[str]) -> None:
        """Add names; raises ColumnError for one that the table has already."""
        for name in names:
            if name in self._ids:
                raise ColumnError(f"feature name {name!r} is declared twice")
            self.id(name)

    def ids_of(self, other: Names) -> Ids:
        """Return our ids (len(other),) of the names of `other`, in its order; new names are added.

        The result is kept, so that a table that has grown costs only its new names.
        """
        if other is self:
            return np.arange(len(self), dtype=np.int32)
        _, ids = self._translations.get(id(other), (other, np.zeros(0, np.int32)))
        if len(ids) < len(other):
            fresh = [self.id(name) for name in other.since(len(ids))]
            ids = np.concatenate([ids, np.asarray(fresh, np.int32)])
            self._translations[id(other)] = (other, ids)
        return ids


def unpack_different_ids(record: Record, key: str, names: Names) -> Ids:
    """Return a column of distinct ids into `names` as int32; raises ColumnError."""
    ids = unpack_numbered(record, key, len(names))
    if len(set(ids.tolist())) < len(ids):
        again = next(number for number in ids.tolist() if (ids == number).sum() > 1)
        raise ColumnError(repeated("feature", names[again]))
    return ids
