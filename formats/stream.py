"""Streams of records between stages: a header, records, an end record.

    {"kind": ..., "version": ..., "signature": ...}      kind of the records, how they were made
    {..., "metric": {"name": ..., "gain": ..., ...}}     for scored lists: by which metric
    {..., "inventory": {"names": ..., "digest": ...}}    for lists against an inventory: which
    {"sid": ..., ...}                                    one record per sentence, sids ascending
    {"end": number of records, "checksum": xxh3-64 of every byte before}

Each is a msgpack map.  `msgpack.Unpacker` ends a loop silently on a cut stream, and a producer that
dies between two records leaves a well-formed prefix: a stream without its end record is an error.
The end record has a fixed size, so a reader knows which bytes of a stream the checksum covers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Generic, Self, TypeVar

import msgpack
import xxhash

from campanula.formats.declared_names import DeclaredNames
from campanula.formats.delayed_output import DelayedOutput
from campanula.formats.errors import DataError
from campanula.formats.files import Output
from campanula.formats.header import Header
from campanula.formats.inventories.inventory_names import InventoryNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.messages import end_record
from campanula.formats.packed_records import PackedRecord, PackedRecords
from campanula.formats.records.columns import ColumnError
from campanula.formats.records.names import Names
from campanula.formats.stream_reader import Reader as Reader
from campanula.formats.stream_record import StreamRecord as StreamRecord

StreamInventory = InventoryReference | Callable[[], InventoryReference]
"""The inventory of a stream: its reference, or a function to call when all records are written."""

R = TypeVar("R", bound=StreamRecord)


class Writer(Generic[R]):
    """Writes a stream to a path (whole or not at all) or to stdout.

    An exception in the `with` block leaves out the end record, so the next command of a pipe fails,
    too.  The feature ids written are those of the first record's names table.

    metric: the metric of the records' statistics and gains, as data, if they have any; signature:
    how the records were made, for people; durable: as with Output.

    With an `inventory` the records must have its ids, and no names are written.  A function instead
    of a reference is for records that add names to an inventory: it is called when all records are
    written, and until then they wait in a temporary file, since the header comes before them.
    """

    def __init__(
        self,
        path: str | None,
        kind: type[R],
        signature: str,
        metric: Mapping[str, object] | None = None,
        inventory: StreamInventory | None = None,
        durable: bool = True,
    ) -> None:
        self.count = 0
        self._inventory = inventory
        self.inventory = None if callable(inventory) else inventory
        self._names: Names | None = None
        self._declared = DeclaredNames()
        self._held: dict[str, Any] | PackedRecord | None = None
        self._last = -1
        self._checksum = xxhash.xxh3_64()
        self._packer = msgpack.Packer(autoreset=True)
        self._output = Output(path, binary=True, durable=durable)
        self._header = Header(
            kind.KIND, kind.VERSION, signature, None if metric is None else dict(metric)
        )
        try:
            self._delayed = DelayedOutput(self._output) if callable(inventory) else None
        except BaseException as failure:
            # a failed __init__ has no __exit__, and the temporary file is there already
            self._output.__exit__(type(failure))
            raise
        if not callable(inventory):
            self._send_header(inventory)

    def _send_header(self, inventory: InventoryReference | None) -> None:
        self.inventory = inventory
        self._send(self._packer.pack(replace(self._header, inventory=inventory).pack()))

    def _send(self, data: bytes | memoryview) -> None:
        self._checksum.update(data)
        self._output.write(data)

    def write(self, record: R) -> None:
        """Write one record; sentence ids ascend.

        Raises DataError for a record that no reader would accept.
        """
        if record.sid <= self._last:
            raise ValueError(f"sentence {record.sid} is written after sentence {self._last}")
        names = self._names_of(record)
        try:
            packed = record.pack(names)
        except ColumnError as error:
            raise DataError(self._output.name, f"sentence {record.sid}", str(error)) from error
        if self._inventory is None:
            used = getattr(record, "used_ids", None)
            if used is None or getattr(record, "names", None) is not names:
                packed = self._declared.with_all(packed, names)
            else:
                packed = self._declared.with_used(packed, names, used)
        self._send_held()
        self._held = packed  # until the next one: the last record declares the names that none used
        self._last = record.sid
        self.count += 1

    def write_packed(self, records: PackedRecords) -> None:
        """Write one or more records that another process has packed, after a record by `write`.

        Their ids are those of the names table of that record, which has all names they use.
        """
        if records.sids[0] <= self._last:
            raise ValueError(f"sentence {records.sids[0]} is written after sentence {self._last}")
        if self._names is None or max(records.highest) < self._declared.count:
            # no record declares a name: all but the last are sent in one piece
            last = records.ends[-2] if len(records.ends) > 1 else 0
            self._send_held()
            self._send_records(memoryview(records.data)[:last])
            self._hold_packed(bytes(records.data[last:]), records.highest[-1])
        else:
            for data, highest in records.each():
                self._send_held()
                self._hold_packed(data, highest)
        self._last = records.sids[-1]
        self.count += len(records.sids)

    def _hold_packed(self, data: bytes, highest: int) -> None:
        fresh = [] if self._names is None else self._declared.of_record(self._names, highest)
        self._held = PackedRecord(data, fresh)

    def _send_held(self) -> None:
        """Write the record that was held back, if any."""
        if isinstance(self._held, PackedRecord):
            self._send_records(self._held.whole())
        elif self._held is not None:
            self._send_records(self._packer.pack(self._held))

    def _send_records(self, data: bytes | memoryview) -> None:
        if self._delayed is None:
            self._send(data)
        else:
            self._delayed.write(data)

    def _names_of(self, record: R) -> Names:
        """Return the names table whose ids are written.

        Raises ValueError if only one of the record and this stream has an inventory.
        """
        own: Names | None = getattr(record, "names", None)
        if isinstance(own, InventoryNames) != (self._inventory is not None) and own is not None:
            raise ValueError("lists against an inventory, and no others, take one in the header")
        if self._inventory is not None and own is not None:
            return own
        if self._names is None:
            self._names = own if own is not None else Names()
        return self._names

    def __enter__(self) -> Self:
        self._output.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is None:
            try:
                self._declare_rest()
                self._send_held()
                self._send_delayed()
                # not by _send: the checksum is of all bytes before the end record
                self._output.write(end_record(self.count, self._checksum.digest()))
            except BaseException as failure:
                self._output.__exit__(type(failure), failure, failure.__traceback__)
                raise
            finally:
                self._close_delayed()
        self._close_delayed()
        self._output.__exit__(kind, *rest)

    def _declare_rest(self) -> None:
        """Add the names that no record used to the last record."""
        if self._names is None:
            return
        if isinstance(self._held, PackedRecord):
            fresh = [*self._held.fresh, *self._declared.rest(self._names)]
            self._held = self._held._replace(fresh=fresh)
        elif self._held is not None:
            self._held = self._declared.with_rest(self._held, self._names)

    def _close_delayed(self) -> None:
        if self._delayed is not None:
            self._delayed.close()

    def _send_delayed(self) -> None:
        """Write the header, whose inventory is known by now, and the records that waited for it."""
        if self._delayed is not None and callable(self._inventory):
            self._send_header(self._inventory())
            for chunk in self._delayed.chunks():
                self._send(chunk)
