"""Which names a stream has declared: each with the first record that uses it.

A table may know more names than the records written so far use: its reader is ahead of the writer
by as many lists as threads work on.  What is written must not depend on that, so a name is declared
when a record uses it, or one with a higher id.  What no record uses is declared with the last.
"""

from __future__ import annotations

from typing import Any

from campanula.formats.arrays.types import Ids
from campanula.formats.packed_records import highest_id
from campanula.formats.records.names import Names

Packed = dict[str, Any]


class DeclaredNames:
    """Counts the names of a table that stand in the records of a stream."""

    def __init__(self) -> None:
        self.count = 0
        self._known = 0

    def with_used(self, packed: Packed, names: Names, used: tuple[Ids, ...]) -> Packed:
        """A record's wire form with the names up to the highest id that it uses."""
        return _with(packed, self.of_record(names, highest_id(used)))

    def with_all(self, packed: Packed, names: Names) -> Packed:
        """A record's wire form with all names that the table has."""
        return _with(packed, self.of_record(names, len(names) - 1))

    def with_rest(self, packed: Packed, names: Names) -> Packed:
        """The last record's wire form, with all names that the table had when it was written.

        What came later belongs to another stream, such as the next shard.
        """
        return _with(packed, self.rest(names))

    def of_record(self, names: Names, highest: int) -> list[str]:
        """The names that a record declares whose highest id is this."""
        self._known = len(names)
        return self._declare(names, max(highest + 1, self.count))

    def rest(self, names: Names) -> list[str]:
        """The names that the last record declares, too."""
        return self._declare(names, self._known)

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
    return {"names": [*declared, *fresh], **packed}
