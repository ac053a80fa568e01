"""Which names a stream has declared so far; a record declares the new names that it needs.

A table may have more names than the records written so far use: the reader that fills it is ahead
of the writer by as many lists as threads work on.  The bytes written must not depend on that, so a
record declares the names up to its own highest id, not all names of the table.  Names that no
record uses are declared by the last record.
"""

from __future__ import annotations

from typing import Any

from campanula.formats.arrays.types import Ids
from campanula.formats.packed_records import highest_id
from campanula.formats.records.names import Names

Packed = dict[str, Any]


class DeclaredNames:
    """Counts the names of a table that a stream has declared; ids are declared in order."""

    def __init__(self) -> None:
        self.count = 0
        self._table_size = 0  # names in the table when the last record came

    def with_used(self, packed: Packed, names: Names, used: tuple[Ids, ...]) -> Packed:
        """Return a record's wire form with the undeclared names up to the highest id in `used`."""
        return _with(packed, self.of_record(names, highest_id(used)))

    def with_all(self, packed: Packed, names: Names) -> Packed:
        """Return a record's wire form with all undeclared names of the table."""
        return _with(packed, self.of_record(names, len(names) - 1))

    def with_rest(self, packed: Packed, names: Names) -> Packed:
        """Return the last record's wire form, with all names that the table had when it came.

        Names that were added later belong to another stream, such as the next shard.
        """
        return _with(packed, self.rest(names))

    def of_record(self, names: Names, highest: int) -> list[str]:
        """Return the names that a record has to declare whose highest id is `highest`."""
        self._table_size = len(names)
        return self._declare(names, max(highest + 1, self.count))

    def rest(self, names: Names) -> list[str]:
        """Return the names that the last record has to declare in addition: those never used."""
        return self._declare(names, self._table_size)

    def _declare(self, names: Names, count: int) -> list[str]:
        if count == self.count:
            return []
        fresh = names.since(self.count)[: count - self.count]
        self.count = count
        return fresh


def _with(packed: Packed, fresh: list[str]) -> Packed:
    if not fresh:
        return packed
    declared = packed.pop("names", ())
    # in front, as with_names has them: the bytes do not tell which process packed a record
    return {"names": [*declared, *fresh], **packed}
