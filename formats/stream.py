"""Streams of records between stages: a header, records, an end record.

    {"kind": ..., "version": ..., "signature": ...}      what flows, and how it was made
    {..., "metric": {"name": ..., "gain": ..., ...}}     and of scored lists: by which metric
    {..., "inventory": {"names": ..., "digest": ...}}    whose ids the records have
    {"sid": ..., ...}                                    one record per sentence, sids ascending
    {"end": number of records, "checksum": xxh3-64 of every byte before}

Each is a msgpack map.  `msgpack.Unpacker` ends a loop silently on a cut stream, and a producer that
dies between two records leaves a well-formed prefix: a stream without its end record is an error.
The end record has a fixed size, so all but the last bytes of a stream are what the checksum covers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import msgpack
import xxhash

from campanula.formats.declared_names import DeclaredNames
from campanula.formats.errors import DataError
from campanula.formats.files import Output, display_name, open_input
from campanula.formats.header import Header
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import InventoryNames, NumberedNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.messages import Source, end_record
from campanula.formats.records.columns import ColumnError, shortened
from campanula.formats.records.names import Names
from campanula.formats.waiting import Waiting

Known = InventoryReference | Callable[[], InventoryReference]
"""The inventory of a stream: its reference, or what gives it when all records are written."""


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

R = TypeVar("R", bound=StreamRecord)


class Writer(Generic[R]):
    """Writes a stream to a path (whole or not at all) or to stdout.

    Leaving through an exception writes no end record, so failure travels down a pipe.  The feature
    ids written are those of `names`, by default the table of the first record.

    `metric` is the metric of the statistics and gains, as data, if the records have any; the
    signature is for people to read.

    With an `inventory` the ids written are the inventory's, which those of the records must be, and
    no names.  A function gives the inventory of a stream whose records add names to it: it is asked
    when all are written, and until then they wait in a temporary file.  durable: as with Output.
    """

    def __init__(
        self,
        path: str | None,
        kind: type[R],
        signature: str,
        metric: Mapping[str, object] | None = None,
        inventory: Known | None = None,
        durable: bool = True,
    ) -> None:
        self.count = 0
        self._inventory = inventory
        self.inventory = None if callable(inventory) else inventory
        self._names: Names | None = None
        self._declared = DeclaredNames()
        self._held: dict[str, Any] | None = None
        self._last = -1
        self._checksum = xxhash.xxh3_64()
        self._packer = msgpack.Packer(autoreset=True)
        self._output = Output(path, binary=True, durable=durable)
        self._header = Header(
            kind.KIND, kind.VERSION, signature, None if metric is None else dict(metric)
        )
        try:
            self._waiting = Waiting(self._output) if callable(inventory) else None
        except BaseException as failure:
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
        """Write one record; sentence ids ascend.  Raises DataError for what no reader takes."""
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
        self._held = packed  # until the next comes: the last declares what none has used
        self._last = record.sid
        self.count += 1

    def _send_held(self) -> None:
        """Write the record that was held back."""
        if self._held is None:
            return
        data = self._packer.pack(self._held)
        if self._waiting is None:
            self._send(data)
        else:
            self._waiting.write(data)

    def _names_of(self, record: R) -> Names:
        """The names whose ids are written; raises ValueError for records of the other kind."""
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
                if self._held is not None and self._names is not None:
                    self._held = self._declared.with_rest(self._held, self._names)
                self._send_held()
                self._finish_waiting()
                self._output.write(end_record(self.count, self._checksum.digest()))
            except BaseException as failure:
                self._output.__exit__(type(failure), failure, failure.__traceback__)
                raise
            finally:
                self._stop_waiting()
        self._stop_waiting()
        self._output.__exit__(kind, *rest)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.close()

    def _finish_waiting(self) -> None:
        """Write the header, and the records that waited for it."""
        if self._waiting is not None and callable(self._inventory):
            self._send_header(self._inventory())
            for part in self._waiting.parts():
                self._send(part)


class Reader(Generic[R]):
    """Reads a stream of one kind: `with Reader(path, KBest) as lists: for kbest in lists: ...`.

    Given several kinds, it reads a stream of any of them.  A table of `names` that is given has all
    names of the stream, which has been read before; names are added to a table given as `into`.

    `signature` says how the stream was made, `metric` by which metric it was scored, if it was, and
    `inventory` whose ids its records have.  `names` is then the inventory that is given, which the
    stream must be against, or without one has numbers for names.

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
        self._knows_names = names is not None
        self.count = 0
        self.checksum = ""
        self.kind = kinds[0]
        self._last = -1
        self._n_stats = 0
        self._source = Source(open_input(path), self.name)
        try:
            header = Header.read(self._source, self.name, kinds)
            self.kind = next(kind for kind in kinds if header.kind == kind.KIND)
            self.signature, self.metric = header.signature, header.metric
            self.inventory = header.inventory
            if self.inventory is not None:
                self._take_inventory(self.inventory, inventory)
        except BaseException:
            self._source.close()
            raise

    @property
    def total(self) -> int | None:
        """Number of records, which the end of a file says; None where there is none to look at."""
        return self._source.expected()

    def _take_inventory(self, reference: InventoryReference, given: Inventory | None) -> None:
        """Have the names of an inventory; raises DataError when the given one is another."""
        if given is not None:
            given.check(reference, self.name)
        self.names = NumberedNames(reference, self.name) if given is None else given

    def __iter__(self) -> Iterator[R]:
        for message in self._source.messages:
            if not isinstance(message, dict):
                raise DataError(self.name, f"record {self.count}", "damaged: expected a map")
            if "end" in message:
                self._check_end(message)
                return
            yield self._record(message)
        problem = "expected an end record, found the end of the file: it was cut off, or the"
        raise DataError(self.name, f"after {self.count} records", f"{problem} producer failed")

    def _record(self, message: dict[str, Any]) -> R:
        sid = message.get("sid")
        if not isinstance(sid, int) or isinstance(sid, bool) or not 0 <= sid < MOST:
            raise DataError(
                self.name, f"record {self.count}", f"expected a sid, found {shortened(sid)}"
            )
        if sid <= self._last:
            problem = f"expected a sentence after {self._last}; sentences ascend"
            raise DataError(self.name, f"sentence {sid}", problem)
        try:
            fresh = message.get("names", ())
            if not isinstance(fresh, list | tuple) or not all(isinstance(n, str) for n in fresh):
                raise ColumnError("expected a list of feature names")
            if self.inventory is not None and fresh:
                raise ColumnError("expected ids of the inventory, found names")
            if not self._knows_names and fresh:
                self.names.extend(fresh)
            record = self.kind.unpack(message, self.names)
        except ColumnError as error:
            raise DataError(self.name, f"sentence {sid}", str(error)) from error
        self._check_width(sid, getattr(record, "n_stats", 0))
        self._last = sid
        self.count += 1
        return record

    def _check_width(self, sid: int, n_stats: int) -> None:
        """Raise DataError unless all lists that have statistics have equally many."""
        if n_stats and self._n_stats not in (0, n_stats):
            problem = f"expected {self._n_stats} statistics a hypothesis as before, found {n_stats}"
            raise DataError(self.name, f"sentence {sid}", problem)
        self._n_stats = n_stats or self._n_stats

    def _check_end(self, message: dict[str, Any]) -> None:
        if message["end"] != self.count:
            problem = f"expected {shortened(message['end'])} records, found {self.count}"
            raise DataError(self.name, "end record", problem)
        if next(self._source.messages, None) is not None or not self._source.at_end:
            raise DataError(self.name, "end record", "expected the end, found more data")
        if message.get("checksum") != self._source.checksum():
            raise DataError(self.name, "end record", "the checksum does not fit: damaged data")
        self.checksum = self._source.checksum().hex()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        self._source.close()
