"""What a kind of record of a stream says of itself, and how it becomes a map and back."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, Self

from campanula.formats.records.names import Names


class StreamRecord(Protocol):
    """A kind of record: it says its name and version, and turns itself into a map and back."""

    KIND: ClassVar[str]
    VERSION: ClassVar[int]

    @property
    def sid(self) -> int:
        """Number of the sentence, from 0."""
        ...

    def pack(self, names: Names) -> dict[str, Any]:
        """Wire form, with feature ids of the table `names`."""
        ...

    @classmethod
    def unpack(cls, record: dict[str, Any], names: Names) -> Self:
        """Record from its wire form; raises ColumnError where it is not as it should be."""
        ...


MOST = 1 << 62  # number of a sentence, as in JSON lines
