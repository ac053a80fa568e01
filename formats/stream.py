"""Streams of records between stages: a header, records, an end record.

    {"kind": ..., "version": ..., "signature": ...}      what flows, and how it was made
    {..., "metric": {"name": ..., "gain": ..., ...}}     and of scored lists: by which metric
    {"sid": ..., ...}                                    one record per sentence, sids ascending
    {"end": number of records, "checksum": xxh3-64 of every byte before}

Each is a msgpack map.  `msgpack.Unpacker` ends a loop silently on a cut stream, and a producer that
dies between two records leaves a well-formed prefix: a stream without its end record is an error.
The end record has a fixed size, so all but the last bytes of a stream are what the checksum covers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import msgpack
import xxhash

from campanula.formats.errors import DataError
from campanula.formats.files import Output, display_name, open_input
from campanula.formats.messages import Source, end_record
from campanula.formats.records.columns import ColumnError, shortened
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

R = TypeVar("R", bound=StreamRecord)


class Writer(Generic[R]):
    """Writes a stream to a path (whole or not at all) or to stdout.

    Leaving through an exception writes no end record, so failure travels down a pipe.  The feature
    ids written are those of `names`, by default the table of the first record.

    `metric` is the metric of the statistics and gains, as data, if the records have any; the
    signature is for people to read.
    """

    def __init__(
        self,
        path: str | None,
        kind: type[R],
        signature: str,
        metric: Mapping[str, object] | None = None,
    ) -> None:
        self.count = 0
        self._names: Names | None = None
        self._names_written = 0
        self._last = -1
        self._checksum = xxhash.xxh3_64()
        self._packer = msgpack.Packer(autoreset=True)
        self._output = Output(path, binary=True)
        header = {"kind": kind.KIND, "version": kind.VERSION, "signature": signature}
        if metric is not None:
            header["metric"] = dict(metric)
        self._send(self._packer.pack(header))

    def _send(self, data: bytes) -> None:
        self._checksum.update(data)
        self._output.write(data)

    def write(self, record: R) -> None:
        """Write one record; sentence ids ascend.  Raises DataError for what no reader takes."""
        if record.sid <= self._last:
            raise ValueError(f"sentence {record.sid} is written after sentence {self._last}")
        names = self._names
        if names is None:
            names = self._names = getattr(record, "names", None) or Names()
        try:
            packed = record.pack(names)
        except ColumnError as error:
            raise DataError(self._output.name, f"sentence {record.sid}", str(error)) from error
        fresh = names.since(self._names_written)
        if fresh:
            packed = {"names": fresh, **packed}
            self._names_written = len(names)
        self._send(self._packer.pack(packed))
        self._last = record.sid
        self.count += 1

    def __enter__(self) -> Self:
        self._output.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is None:
            try:
                self._output.write(end_record(self.count, self._checksum.digest()))
            except BaseException as failure:
                self._output.__exit__(type(failure), failure, failure.__traceback__)
                raise
        self._output.__exit__(kind, *rest)


class Reader(Generic[R]):
    """Reads a stream of one kind: `with Reader(path, KBest) as lists: for kbest in lists: ...`.

    Given several kinds, it reads a stream of any of them.  A table of `names` that is given has all
    names of the stream, which has been read before.

    `signature` says how the stream was made, `metric` by which metric it was scored, if it was.

    The header is checked at once, each record as it is read, count and checksum at the end.
    Raises DataError that names the file and the sentence.
    """

    def __init__(self, path: str, *kinds: type[R], names: Names | None = None) -> None:
        self.name = display_name(path)
        self.names = Names() if names is None else names
        self._knows_names = names is not None
        self.count = 0
        self.checksum = ""
        self.kind = kinds[0]
        self._last = -1
        self._n_stats = 0
        self._source = Source(open_input(path), self.name)
        try:
            header = self._read_header(kinds)
            self.signature = self._signature_of(header)
            self.metric = self._metric_of(header)
        except BaseException:
            self._source.close()
            raise

    def _read_header(self, kinds: Sequence[type[R]]) -> dict[str, Any]:
        header = next(self._source.messages, None)
        if header is None:
            raise DataError(self.name, None, "expected a stream, found no whole header")
        if not isinstance(header, dict) or not isinstance(header.get("kind"), str):
            raise DataError(self.name, None, "expected a stream, found something else")
        found, version = header["kind"], header.get("version")
        matching = [kind for kind in kinds if found == kind.KIND]
        if not matching:
            expected = " or ".join(repr(kind.KIND) for kind in kinds)
            problem = f"expected a stream of kind {expected}, found {shortened(found)}"
            raise DataError(self.name, None, problem)
        self.kind = matching[0]
        if version != self.kind.VERSION:
            problem = (
                f"expected version {self.kind.VERSION} of {found!r}, found {shortened(version)}"
            )
            raise DataError(self.name, None, problem)
        return header

    def _signature_of(self, header: dict[str, Any]) -> str:
        signature = header.get("signature", "")
        if not isinstance(signature, str) or "\n" in signature or "\r" in signature:
            problem = f"expected a line of text 'signature', found {shortened(signature)}"
            raise DataError(self.name, "header", problem)
        return signature

    def _metric_of(self, header: dict[str, Any]) -> dict[str, Any] | None:
        metric = header.get("metric")
        if metric is not None and not isinstance(metric, dict):
            problem = f"expected a map 'metric', found {type(metric).__name__}"
            raise DataError(self.name, "header", problem)
        if metric is not None and not isinstance(metric.get("name"), str):
            problem = f"expected the name of the metric, found {shortened(metric.get('name'))}"
            raise DataError(self.name, "header", problem)
        return metric

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
            if not self._knows_names:
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
