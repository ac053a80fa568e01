"""Feature names and the ids that stand for them in a stream.

Ids count up from 0 in the order in which names are met.  A stream says each new name in the record
that first uses it, so a reader knows every name before its id.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

import numpy as np

from campanula.formats.arrays.types import Ids
from campanula.formats.records.columns import ColumnError, Record
from campanula.formats.records.numbering import unpack_numbered

BLANKS = " \t\r\n"
SHOWN = 5  # names in a table's own description


def is_name(name: object) -> bool:
    """Whether a weights file can hold a feature of this name: text without blanks, not `#`."""
    return (
        isinstance(name, str)
        and name not in ("", "#")
        and not any(c in name for c in BLANKS)
        and not any("\ud800" <= c <= "\udfff" for c in name)
    )


class Names:
    """A growing table of feature names; `names[id]` is a name, `names.id(name)` its id.

    of_inventory: whether the ids are those of an inventory, which run to millions.
    """

    of_inventory: ClassVar[bool] = False

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names: list[str] = []
        self._ids: dict[str, int] = {}
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
        """Names with ids of at least `start`."""
        return self._names[start:]

    def id(self, name: str) -> int:
        """Id of a name, a new one if the name is new."""
        found = self._ids.get(name)
        if found is None:
            found = self._ids[name] = len(self._names)
            self._names.append(name)
        return found

    def extend(self, names: Iterable[str]) -> None:
        """Add names that must be new; raises ColumnError for one that is not."""
        for name in names:
            if name in self._ids:
                raise ColumnError(f"feature name {name!r} is declared twice")
            self.id(name)

    def ids_of(self, other: Names) -> Ids:
        """Ids here of every name of `other`, in its order, shape (len(other),); adds new names."""
        if other is self:
            return np.arange(len(self), dtype=np.int32)
        _, known = self._translations.get(id(other), (other, np.zeros(0, np.int32)))
        if len(known) < len(other):
            fresh = [self.id(name) for name in other.since(len(known))]
            known = np.concatenate([known, np.asarray(fresh, np.int32)])
            self._translations[id(other)] = (other, known)
        return known


def unpack_different_ids(record: Record, key: str, names: Names) -> Ids:
    """Column of ids into `names` as int32, each once."""
    ids = unpack_numbered(record, key, len(names))
    if len(set(ids.tolist())) < len(ids):
        again = next(number for number in ids.tolist() if (ids == number).sum() > 1)
        raise ColumnError(f"feature {names[again]!r} stands here for the second time")
    return ids
