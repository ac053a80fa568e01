"""The protocol of a kind of record in a stream: its name, and its conversion to a map and back."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, Self

from campanula.formats.records.names import Names

SID_LIMIT = 1 << 62  # sentence numbers are below it, as in JSON lines


class StreamRecord(Protocol):
    """A kind of record, with its name and version in the header of a stream."""

    KIND: ClassVar[str]
    VERSION: ClassVar[int]

    @property
    def sid(self) -> int:
        """Number of the sentence, from 0."""
        ...

    def pack(self, names: Names) -> dict[str, Any]:
        """Return the record as a map for msgpack, with feature ids of the table `names`."""
        ...

    @classmethod
    def unpack(cls, record: dict[str, Any], names: Names) -> Self:
        """Make a record of its map; raises ColumnError for a column that is missing or wrong."""
        ...
