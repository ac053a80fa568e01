"""Reads a stream of records and checks each; stream.py describes the format and writes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, Self, TypeVar

from campanula.formats.errors import DataError
from campanula.formats.files import display_name, open_input
from campanula.formats.header import Header
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import NumberedNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.messages import MessageReader, RawMessages
from campanula.formats.records.columns import ColumnError, shortened
from campanula.formats.records.names import Names
from campanula.formats.stream_record import SID_LIMIT, StreamRecord

R = TypeVar("R", bound=StreamRecord)


def is_end(message: object) -> bool:
    """Whether a message is an end record."""
    return isinstance(message, dict) and "end" in message


def names_in(message: dict[str, Any]) -> Sequence[str]:
    """Return the names that a record declares; raises ColumnError unless they are texts."""
    fresh = message.get("names", ())
    if not isinstance(fresh, list | tuple) or not all(isinstance(n, str) for n in fresh):
        raise ColumnError("expected a list of feature names")
    return fresh


class Reader(Generic[R]):
    """Reads a stream of one kind: `with Reader(path, KBest) as lists: for kbest in lists: ...`.

    kinds: the kinds of records that are accepted; names: a table that has all names of the stream
    already, since the stream has been read before; into: a table to which the stream's names are
    added; inventory: the inventory that the stream must be against.

    Attributes: `signature` says how the stream was made, `metric` by which metric it was scored
    (None if it was not), `inventory` which inventory its ids belong to (None if it declares names).
    For a stream against an inventory, `names` is the inventory if it was given, and otherwise a
    table that has numbers for names.

    The header is checked at once, each record as it is read, count and checksum at the end.
    Raises DataError that names the file and the sentence.
    """

    def __init__(
        self,
        path: str,
        *kinds: type[R],
        names: Names | None = None,
        inventory: Inventory | None = None,
        into: Names | None = None,
    ) -> None:
        self.name = display_name(path)
        self.names = next(table for table in (names, into, Names()) if table is not None)
        self._has_all_names = names is not None
        self.count = 0
        self.checksum = ""
        self.kind = kinds[0]
        self._last = -1
        self._n_stats = 0
        self._message_reader = MessageReader(open_input(path), self.name)
        try:
            header = Header.read(self._message_reader, self.name, kinds)
            self.kind = next(kind for kind in kinds if header.kind == kind.KIND)
            self.signature = header.signature
            self.metric = header.metric
            self.inventory = header.inventory
            if self.inventory is not None:
                self._take_inventory(self.inventory, inventory)
        # the `with` of the caller has not begun, so nobody else closes the file
        except BaseException:
            self._message_reader.close()
            raise

    @property
    def total(self) -> int | None:
        """Number of records, from the end of the file; None if the input is a pipe or cut off."""
        return self._message_reader.record_count()

    @property
    def grows(self) -> bool:
        """Whether records can add names to the table."""
        return not self._has_all_names and self.inventory is None

    def _take_inventory(self, reference: InventoryReference, inventory: Inventory | None) -> None:
        """Set the names to those of the inventory; raises DataError when it is another one."""
        if inventory is not None:
            inventory.check(reference, self.name)
        self.names = NumberedNames(reference, self.name) if inventory is None else inventory

    def __iter__(self) -> Iterator[R]:
        return self.records(self._message_reader.messages)

    def raw(self) -> Iterator[RawMessages]:
        """Yield the remaining messages unparsed; messages.unpacked parses them."""
        return self._message_reader.raw(self.count)

    def records(self, messages: Iterator[Any]) -> Iterator[R]:
        """Yield the records of messages; raises DataError unless they end with the end record."""
        for message in messages:
            if is_end(message):
                self._check_end(message, messages)
                return
            yield self.record(message)
        problem = "expected an end record, found the end of the file: it was cut off, or the"
        raise DataError(self.name, f"after {self.count} records", f"{problem} producer failed")

    def record(self, message: Any) -> R:
        """Make and check the next record from its message; raises DataError."""
        if not isinstance(message, dict):
            raise DataError(self.name, f"record {self.count}", "damaged: expected a map")
        sid = message.get("sid")
        # msgpack has true and false, which are ints in Python
        if not isinstance(sid, int) or isinstance(sid, bool) or not 0 <= sid < SID_LIMIT:
            raise DataError(
                self.name, f"record {self.count}", f"expected a sid, found {shortened(sid)}"
            )
        self._check_order(sid)
        try:
            fresh = names_in(message)
            if self.inventory is not None and fresh:
                raise ColumnError("expected ids of the inventory, found names")
            if not self._has_all_names and fresh:
                self.names.extend(fresh)
            record = self.kind.unpack(message, self.names)
        except ColumnError as error:
            raise DataError(self.name, f"sentence {sid}", str(error)) from error
        self._take(sid, getattr(record, "n_stats", 0))
        return record

    def pass_by(self, sid: int, n_stats: int, fresh: Sequence[str]) -> None:
        """Count the next record, which another process has unpacked, and add its new names.

        Raises DataError if it does not fit the records before, as `record` does.
        """
        self._check_order(sid)
        try:
            if not self._has_all_names and fresh:
                self.names.extend(fresh)
        except ColumnError as error:
            raise DataError(self.name, f"sentence {sid}", str(error)) from error
        self._take(sid, n_stats)

    def _check_order(self, sid: int) -> None:
        if sid <= self._last:
            problem = f"expected a sentence after {self._last}; sentences ascend"
            raise DataError(self.name, f"sentence {sid}", problem)

    def _take(self, sid: int, n_stats: int) -> None:
        self._check_width(sid, n_stats)
        self._last = sid
        self.count += 1

    def _check_width(self, sid: int, n_stats: int) -> None:
        """Raise DataError unless all lists with statistics have as many of them per hypothesis."""
        if n_stats and self._n_stats not in (0, n_stats):
            problem = f"expected {self._n_stats} statistics a hypothesis as before, found {n_stats}"
            raise DataError(self.name, f"sentence {sid}", problem)
        self._n_stats = n_stats or self._n_stats

    def _check_end(self, message: dict[str, Any], following: Iterator[Any]) -> None:
        # before the checksum, since two numbers say more about what is wrong
        if message["end"] != self.count:
            problem = f"expected {shortened(message['end'])} records, found {self.count}"
            raise DataError(self.name, "end record", problem)
        if next(following, None) is not None or not self._message_reader.at_end:
            raise DataError(self.name, "end record", "expected the end, found more data")
        if message.get("checksum") != self._message_reader.checksum():
            raise DataError(self.name, "end record", "the checksum does not fit: damaged data")
        self.checksum = self._message_reader.checksum().hex()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        self._message_reader.close()
