"""Messages of a stream, one msgpack map after the other, and the end record's fixed form.

The end record has a fixed size, so all but the last bytes of a file are what its checksum covers.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

import msgpack
import xxhash

from campanula.formats.errors import DataError
from campanula.formats.foreign.kinds import HEAD

CHUNK = 1 << 20
PART = 1 << 18  # bytes of messages that are handed on as they are
MAX_MESSAGE = 1 << 31  # bytes: a record is one sentence; far more than any, far less than memory
LIMITS = {  # what a header of a few bytes may make the reader allocate
    "max_array_len": 1 << 26,
    "max_map_len": 1 << 16,
    "max_str_len": 1 << 20,
    "max_bin_len": MAX_MESSAGE,
    "max_ext_len": 0,
}
_END = struct.Struct(">B4sBQ9sBB8s")
END_SIZE = _END.size
BROKEN = (msgpack.UnpackException, ValueError, TypeError, OverflowError)
"""What msgpack raises for bytes that are no message."""


def end_record(count: int, checksum: bytes) -> bytes:
    """The bytes of an end record: number of records, and the checksum of what came before."""
    return _END.pack(0x82, b"\xa3end", 0xCF, count, b"\xa8checksum", 0xC4, 8, checksum)


def parse_end(tail: bytes) -> tuple[int, str] | None:
    """Count and checksum, in hexadecimal digits, of the last END_SIZE bytes of a stream.

    None where they are no end record.
    """
    if len(tail) != END_SIZE:
        return None
    *_, count, _, _, _, checksum = _END.unpack(tail)
    return (count, checksum.hex()) if end_record(count, checksum) == tail else None


class RawMessages(NamedTuple):
    """Messages as they are in the file, one behind the other: where each ends in data."""

    data: bytes
    ends: list[int]

    def since(self, place: int) -> bytes:
        """The messages from one on."""
        return self.data[self.ends[place - 1] if place else 0 :]


def unpacked(data: bytes | memoryview, name: str, count: int) -> Iterator[Any]:
    """Yield messages from bytes of whole ones; `count` are those that came before.

    Raises DataError for a damaged one, as Source does.
    """
    unpacker = msgpack.Unpacker(max_buffer_size=MAX_MESSAGE, raw=False, **LIMITS)
    unpacker.feed(data)
    try:
        for message in unpacker:
            yield message
            count += 1
    except BROKEN as error:
        raise _damaged(name, count, error) from error


def _damaged(name: str, count: int, error: Exception) -> DataError:
    place = f"record {count}" if count >= 0 else "header"
    problem = f"expected a msgpack record, found damaged data ({type(error).__name__})"
    return DataError(name, place, problem)


class Source:
    """Messages of a file, and the checksum of all its bytes but those of an end record."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file, self._name = file, name
        self._sum = xxhash.xxh3_64()
        self._tail = b""
        self._fed = b""  # the last bytes that the unpacker got
        self.head = b""  # the first bytes, as soon as there are some
        self._bytes = 0
        self._unpacker = msgpack.Unpacker(max_buffer_size=MAX_MESSAGE, raw=False, **LIMITS)
        self.messages = self._read()

    @property
    def at_end(self) -> bool:
        """Whether every byte read belongs to a whole message."""
        return bool(self._unpacker.tell() == self._bytes)

    def _read(self) -> Iterator[Any]:
        count = -1  # the header comes first
        while chunk := self._chunk(CHUNK):
            self.head = self.head or chunk[:HEAD]
            try:
                self._feed(chunk)
                for message in self._unpacker:
                    yield message
                    count += 1
            except BROKEN as error:
                raise _damaged(self._name, count, error) from error

    def _feed(self, chunk: bytes) -> None:
        self._sum_up(chunk)
        self._bytes += len(chunk)
        self._fed = chunk
        self._unpacker.feed(chunk)

    def raw(self, count: int) -> Iterator[RawMessages]:
        """Yield the messages that are left, whole but not unpacked, part by part.

        `count` records were read before.  Raises DataError where messages cannot be told apart.
        """
        start = self._unpacker.tell()
        pieces = [self._fed[len(self._fed) - (self._bytes - start) :]]
        while True:
            ends: list[int] = []
            failure = self._skip(ends)
            if ends:
                data = b"".join(pieces)
                size = ends[-1] - start
                yield RawMessages(data[:size], [end - start for end in ends])
                pieces = [data[size:]]
                start = ends[-1]
                count += len(ends)
            if failure is not None:
                raise _damaged(self._name, count, failure) from failure
            chunk = self._chunk(PART)
            if not chunk:
                return
            self._feed(chunk)
            pieces.append(chunk)

    def _skip(self, ends: list[int]) -> Exception | None:
        """Skip the messages that are there and note where they end; what is wrong, if anything."""
        try:
            while True:
                self._unpacker.skip()
                ends.append(self._unpacker.tell())
        except msgpack.OutOfData:
            return None
        except BROKEN as error:
            return error

    def _sum_up(self, chunk: bytes) -> None:
        """Add what was read to the checksum, but for as many bytes as an end record has."""
        if len(chunk) < _END.size:
            chunk = self._tail + chunk
        else:  # a long one is not copied
            self._sum.update(self._tail)
        self._sum.update(memoryview(chunk)[: -_END.size])
        self._tail = chunk[-_END.size :]

    def _chunk(self, size: int) -> bytes:
        try:
            read = getattr(self._file, "read1", self._file.read)
            return bytes(read(size))
        except (OSError, EOFError) as error:
            problem = f"cannot be read: {getattr(error, 'strerror', None) or error}"
            raise DataError(self._name, None, problem) from error

    def expected(self) -> int | None:
        """The number of records that the end of the file states, if it can be looked at."""
        try:
            status = os.fstat(self._file.fileno())
            if not stat.S_ISREG(status.st_mode):
                return None
            tail = os.pread(self._file.fileno(), END_SIZE, max(0, status.st_size - END_SIZE))
        except (OSError, AttributeError, ValueError):  # no file of its own: bytes, or a pipe
            return None
        end = parse_end(tail)
        return None if end is None else end[0]

    def checksum(self) -> bytes:
        """Checksum of what came before the end record."""
        return self._sum.digest()

    def close(self) -> None:
        """Close the file; stdin stays open."""
        if self._name != "stdin":
            self._file.close()
