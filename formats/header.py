"""The header of a stream: the kind of its records, and how they were made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from campanula.formats.errors import DataError
from campanula.formats.foreign.refusing import refuse_no_stream
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.messages import MessageReader
from campanula.formats.records.columns import shortened


class RecordKind(Protocol):
    """A kind of record: its name and version in headers."""

    KIND: ClassVar[str]
    VERSION: ClassVar[int]


@dataclass(frozen=True, slots=True)
class Header:
    """The first message of a stream.

    signature: how the stream was made, for people; metric: settings of the metric that scored the
    lists, as data; inventory: the inventory of the records' ids; None if the stream declares names.
    """

    kind: str
    version: int
    signature: str
    metric: dict[str, Any] | None = None
    inventory: InventoryReference | None = None

    def pack(self) -> dict[str, object]:
        """Return the header as a map to be packed by msgpack."""
        header: dict[str, object] = {"kind": self.kind, "version": self.version}
        header["signature"] = self.signature
        if self.metric is not None:
            header["metric"] = self.metric
        if self.inventory is not None:
            header["inventory"] = self.inventory.pack()
        return header

    @classmethod
    def read(cls, source: MessageReader, name: str, kinds: Sequence[type[RecordKind]]) -> Header:
        """Read the header, as `of` does; DataError also names a well-known kind of file."""
        try:
            return cls.of(next(source.messages, None), name, kinds)
        except DataError:
            # raises for a kind of file that it knows; for others the first error stands
            refuse_no_stream(source.head, name)
            raise

    @classmethod
    def of(cls, message: object, name: str, kinds: Sequence[type[RecordKind]]) -> Header:
        """Check a stream's first message; None is an empty file.

        Raises DataError that names the stream unless it is a header of one of `kinds`.
        """
        if message is None:
            raise DataError(name, None, "expected a stream, found no whole header")
        if not isinstance(message, dict) or not isinstance(message.get("kind"), str):
            # msgpack reads an ASCII byte as a small integer
            is_ascii = isinstance(message, int) and ord(" ") <= message <= ord("~")
            found = "text" if is_ascii else "something else"
            raise DataError(name, None, f"expected a stream, found {found}")
        kind_name = message["kind"]
        version = message.get("version")
        matching = [kind for kind in kinds if kind_name == kind.KIND]
        if not matching:
            expected = " or ".join(repr(kind.KIND) for kind in kinds)
            problem = f"expected a stream of kind {expected}, found {shortened(kind_name)}"
            raise DataError(name, None, problem)
        expected_version = matching[0].VERSION
        if version != expected_version:
            problem = f"expected version {expected_version} of {kind_name!r}, found"
            raise DataError(name, None, f"{problem} {shortened(version)}")
        return cls(
            kind_name,
            expected_version,
            _signature(message, name),
            _metric(message, name),
            _inventory(message, name),
        )


def _signature(header: dict[str, Any], name: str) -> str:
    signature = header.get("signature", "")
    if not isinstance(signature, str) or "\n" in signature or "\r" in signature:
        problem = f"expected a line of text 'signature', found {shortened(signature)}"
        raise DataError(name, "header", problem)
    return signature


def _metric(header: dict[str, Any], name: str) -> dict[str, Any] | None:
    metric = header.get("metric")
    if metric is not None and not isinstance(metric, dict):
        problem = f"expected a map 'metric', found {type(metric).__name__}"
        raise DataError(name, "header", problem)
    if metric is not None and not isinstance(metric.get("name"), str):
        problem = f"expected the name of the metric, found {shortened(metric.get('name'))}"
        raise DataError(name, "header", problem)
    return metric


def _inventory(header: dict[str, Any], name: str) -> InventoryReference | None:
    value = header.get("inventory")
    return None if value is None else InventoryReference.unpack(value, name)
