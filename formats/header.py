"""The header of a stream: what flows, and how it was made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from campanula.formats.errors import DataError
from campanula.formats.foreign.looking import refuse_no_stream
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.messages import Source
from campanula.formats.records.columns import shortened


class RecordKind(Protocol):
    """What a kind of record says of itself."""

    KIND: ClassVar[str]
    VERSION: ClassVar[int]


@dataclass(frozen=True, slots=True)
class Header:
    """The first message of a stream.

    signature: how it was made, for people; metric: that of the lists' statistics, as data;
    inventory: whose ids the records have, if they are not the stream's own.
    """

    kind: str
    version: int
    signature: str
    metric: dict[str, Any] | None = None
    inventory: InventoryReference | None = None

    def pack(self) -> dict[str, object]:
        """Wire form."""
        header: dict[str, object] = {"kind": self.kind, "version": self.version}
        header["signature"] = self.signature
        if self.metric is not None:
            header["metric"] = self.metric
        if self.inventory is not None:
            header["inventory"] = self.inventory.pack()
        return header

    @classmethod
    def read(cls, source: Source, name: str, kinds: Sequence[type[RecordKind]]) -> Header:
        """Header of a file of messages, as `of`; DataError says which well-known kind it is of."""
        try:
            return cls.of(next(source.messages, None), name, kinds)
        except DataError:
            refuse_no_stream(source.head, name)
            raise

    @classmethod
    def of(cls, message: object, name: str, kinds: Sequence[type[RecordKind]]) -> Header:
        """Header of a stream of one of some kinds; raises DataError that names the stream."""
        if message is None:
            raise DataError(name, None, "expected a stream, found no whole header")
        if not isinstance(message, dict) or not isinstance(message.get("kind"), str):
            letter = isinstance(message, int) and ord(" ") <= message <= ord("~")
            found = "text" if letter else "something else"
            raise DataError(name, None, f"expected a stream, found {found}")
        found, version = message["kind"], message.get("version")
        matching = [kind for kind in kinds if found == kind.KIND]
        if not matching:
            expected = " or ".join(repr(kind.KIND) for kind in kinds)
            problem = f"expected a stream of kind {expected}, found {shortened(found)}"
            raise DataError(name, None, problem)
        expected_version = matching[0].VERSION
        if version != expected_version:
            problem = f"expected version {expected_version} of {found!r}, found"
            raise DataError(name, None, f"{problem} {shortened(version)}")
        return cls(
            found,
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
