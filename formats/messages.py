"""Messages of a stream, one msgpack map after the other, and the end record.

The end record has a fixed size, so its checksum covers all bytes of the file before the last
END_SIZE, and a reader need not parse messages to know where the checksum ends.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

import msgpack
import xxhash

from campanula.formats.errors import DataError, unreadable
from campanula.formats.foreign.kinds import HEAD

CHUNK = 1 << 20  # bytes read at a time when messages are parsed
PART = 1 << 18  # bytes read at a time when messages are handed on unparsed
MAX_MESSAGE = 1 << 31  # bytes of a record, which is one sentence: far more than any real one has
LIMITS = {  # a few damaged or hostile bytes must not make the reader allocate more
    "max_array_len": 1 << 26,
    "max_map_len": 1 << 16,
    "max_str_len": 1 << 20,
    "max_bin_len": MAX_MESSAGE,
    "max_ext_len": 0,
}
_END = struct.Struct(">B4sBQ9sBB8s")
END_SIZE = _END.size
BROKEN = (msgpack.UnpackException, ValueError, TypeError, OverflowError)
"""Exceptions of msgpack for bytes that are no message."""


def end_record(count: int, checksum: bytes) -> bytes:
    """Return the bytes of an end record.

    count: records of the stream; checksum: xxh3-64 of all bytes before.  The integer is always
    packed as 64 bits, not as short as msgpack would, so that the size is fixed.
    """
    return _END.pack(0x82, b"\xa3end", 0xCF, count, b"\xa8checksum", 0xC4, 8, checksum)


def parse_end(tail: bytes) -> tuple[int, str] | None:
    """Return count and checksum, in hexadecimal digits, from the last END_SIZE bytes of a stream.

    Return None if they are no end record.
    """
    if len(tail) != END_SIZE:
        return None
    *_, count, _, _, _, checksum = _END.unpack(tail)
    return (count, checksum.hex()) if end_record(count, checksum) == tail else None


class RawMessages(NamedTuple):
    """Unparsed messages, one after another in `data`; message i ends at ends[i]."""

    data: bytes
    ends: list[int]

    def since(self, place: int) -> bytes:
        """Return the bytes of the messages from number `place` on."""
        return self.data[self.ends[place - 1] if place else 0 :]


def unpacked(data: bytes | memoryview, name: str, count: int) -> Iterator[Any]:
    """Parse the messages in `data`, which are whole; `count` records came before.

    Raises DataError for a damaged message, as MessageReader does.
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


class MessageReader:
    """Reads the messages of a file, and sums up the checksum of all bytes before the end record."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file = file
        self._name = name
        self._sum = xxhash.xxh3_64()
        self._tail = b""  # the last bytes read, which may be the end record
        self._fed = b""  # the chunk that the unpacker got last
        self.head = b""  # the first bytes, once some have been read
        self._bytes = 0  # bytes that the unpacker got
        self._unpacker = msgpack.Unpacker(max_buffer_size=MAX_MESSAGE, raw=False, **LIMITS)
        self.messages = self._read()

    @property
    def at_end(self) -> bool:
        """Whether every byte read belongs to a whole message."""
        return bool(self._unpacker.tell() == self._bytes)

    def _read(self) -> Iterator[Any]:
        count = -1  # record -1 is the header
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
        """Yield the remaining messages, whole but unparsed, many at a time.

        `count` records were read before.  Raises DataError for bytes that are no message.
        """
        start = self._unpacker.tell()
        # the unpacker has these bytes in its buffer already, and gives none back
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
        """Skip the whole messages in the unpacker and append where they end; return any error."""
        try:
            while True:
                self._unpacker.skip()
                ends.append(self._unpacker.tell())
        except msgpack.OutOfData:
            return None
        except BROKEN as error:
            return error

    def _sum_up(self, chunk: bytes) -> None:
        """Add all bytes read so far to the checksum except the last END_SIZE, kept in _tail."""
        if len(chunk) < _END.size:
            chunk = self._tail + chunk
        else:  # no concatenation, which would copy a long chunk
            self._sum.update(self._tail)
        self._sum.update(memoryview(chunk)[: -_END.size])
        self._tail = chunk[-_END.size :]

    def _chunk(self, size: int) -> bytes:
        try:
            read = getattr(self._file, "read1", self._file.read)
            return bytes(read(size))
        except (OSError, EOFError) as error:
            raise unreadable(self._name, error) from error

    def record_count(self) -> int | None:
        """Return the number of records in the end record; None if the file is a pipe or cut off."""
        try:
            status = os.fstat(self._file.fileno())
            if not stat.S_ISREG(status.st_mode):
                return None
            tail = os.pread(self._file.fileno(), END_SIZE, max(0, status.st_size - END_SIZE))
        except (OSError, AttributeError, ValueError):
            return None  # no descriptor: decompressed, or bytes in memory
        end = parse_end(tail)
        return None if end is None else end[0]

    def checksum(self) -> bytes:
        """Return the checksum of all bytes before the end record."""
        return self._sum.digest()

    def close(self) -> None:
        """Close the file; stdin stays open."""
        if self._name != "stdin":
            self._file.close()
