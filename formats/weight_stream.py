"""Weights stream: weights by the ids of an inventory, in one array that is mapped from the file.

    {"kind": "weights", "version": 1, "signature": ..., "inventory": {"names": n, "digest": ...}}
    {"pad": some bytes of 0, "theta": n float64, little-endian}
    {"end": 1, "checksum": xxh3-64 of every byte before}

Each is a msgpack map, as in every stream; the padding puts the array at a multiple of 64 bytes.  A
msgpack map holds 4 GiB, so there are at most 536,870,911 weights.
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO

import msgpack
import numpy as np
import xxhash

from campanula.formats.arrays.types import Bytes, Floats
from campanula.formats.errors import DataError, unreadable
from campanula.formats.files import CHUNK, Output, display_name, open_input
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import InventoryNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.messages import end_record
from campanula.formats.records.columns import shortened
from campanula.formats.records.names import Names

KIND = "weights"
VERSION = 1
HEAD = b"\x84\xa4kind\xa7weights"
"""First bytes: a msgpack map of four keys, of which the first is the kind."""

ALIGNMENT = 64  # bytes: a line of the processor's cache
MAX_WEIGHTS = ((1 << 32) - 1) // 8  # msgpack has 32 bits for the size of binary data
MOST_HEADER = 1 << 24  # bytes; a signature is some thousands
THETA = b"\xa5theta\xc6"  # msgpack: the key, and bytes whose size follows in four bytes
END = len(end_record(0, bytes(8)))


@dataclass(frozen=True, slots=True)
class WeightStream:
    """Weights of the first n names of an inventory: theta (n,), by id, mapped from the file.

    checksum: that of the stream, 16 hexadecimal digits; source: the name of its file, for messages.
    """

    reference: InventoryReference
    theta: Floats
    signature: str = ""
    checksum: str = ""
    source: str = "weights"

    def __len__(self) -> int:
        return len(self.theta)

    def digest(self) -> str:
        """Return the checksum of inventory and values, 16 hexadecimal digits."""
        content = xxhash.xxh3_64(self.reference.digest.encode())
        content.update(np.ascontiguousarray(self.theta).data.cast("B"))
        return content.hexdigest()

    def check(self, names: Names) -> None:
        """Raise DataError unless these weights belong to the names of some lists.

        They do if both have the same inventory.  Whether one inventory is a prefix of the other can
        be told only if `names` is the inventory itself, not just its reference.
        """
        if not isinstance(names, InventoryNames):
            problem = "is a weights stream: expected lists against its inventory (index-features)"
            raise DataError(self.source, None, f"{problem}, found lists with names")
        if isinstance(names, Inventory):
            names.check(self.reference, self.source)
        elif names.reference != self.reference:
            problem = f"is against inventory {self.reference}, the lists against {names.reference}"
            raise DataError(self.source, None, f"{problem}; if one extends the other, --inventory")

    def without(self, names: Names) -> WeightStream:
        """Return all weights: an inventory's weights need not all occur in the lists."""
        return self

    def refuse_unknown(self, names: Names, lists: str) -> None:
        """Do nothing: an inventory has more features than the lists against it."""

    def vector(self, n: int) -> Floats:
        """Return the weights of the first n ids, (n,) or longer; ids beyond theta have 0."""
        if len(self.theta) >= n:
            return self.theta
        longer = np.zeros(n)
        longer[: len(self.theta)] = self.theta
        return longer


def is_weight_stream(path: str) -> bool:
    """Whether a file, or stdin, begins as a weights stream; stdin can still be read afterwards.

    Reading from a named pipe would take its bytes from a later reader, so its answer is False.
    """
    if path != "-" and os.path.exists(path) and not os.path.isfile(path):
        return False
    with _opened(path) as file:
        head = file.peek(len(HEAD)) if isinstance(file, io.BufferedReader) else b""
    return head.startswith(HEAD)


def write_weight_stream(
    path: str | None,
    reference: InventoryReference,
    theta: Floats,
    signature: str,
    names: Names | None = None,
) -> None:
    """Write theta (n,) of an inventory's first n names.

    Raises DataError for a weight that is not finite, and for more weights than a map holds.
    Written in parts, to make no second copy in memory.  names: for messages, if they are known.
    """
    name = "stdout" if path in (None, "-") else str(path)
    if len(theta) != reference.names:
        raise ValueError(f"{len(theta)} weights for an inventory of {reference.names} names")
    if len(theta) > MAX_WEIGHTS:
        raise DataError(name, None, f"expected at most {MAX_WEIGHTS} weights, found {len(theta)}")
    header = {"kind": KIND, "version": VERSION, "signature": signature}
    head = msgpack.packb({**header, "inventory": reference.pack()})
    checksum = xxhash.xxh3_64()
    with Output(path, binary=True) as out:

        def send(data: bytes | memoryview) -> None:
            checksum.update(data)
            out.write(data)

        send(head + _before_theta(len(head), 8 * len(theta)))
        for chunk in _finite_chunks(theta, name, names):
            send(np.ascontiguousarray(chunk, dtype="<f8").data.cast("B"))
        out.write(end_record(1, checksum.digest()))


def _feature(number: int, names: Names | None) -> str:
    """Return a feature's name in messages, its number if the name is not known."""
    return f"feature {names[number]!r}" if isinstance(names, Inventory) else f"feature #{number}"


def _before_theta(position: int, n_bytes: int) -> bytes:
    """Return the record's bytes before the array; the array begins at a multiple of ALIGNMENT.

    position: where the record begins in the stream; n_bytes: size of the array.
    """
    # msgpack: a map of two keys, the text `pad`, and an array of at most 255 bytes
    fixed = b"\x82\xa3pad\xc4"
    rest = THETA + n_bytes.to_bytes(4, "big")
    pad = -(position + len(fixed) + 1 + len(rest)) % ALIGNMENT
    return fixed + bytes([pad]) + bytes(pad) + rest


def read_weight_stream(path: str) -> WeightStream:
    """Map a weights stream; raises DataError if it is another kind of file, cut off or damaged.

    A compressed stream, or stdin, is read into memory.
    """
    name = display_name(path)
    with _opened(path) as file:
        try:
            if path != "-" and _is_mappable(file) and os.path.getsize(path):
                # mode "c", copy on write: the kernels are compiled for writable arrays
                data: Bytes = np.asarray(np.memmap(path, np.uint8, "c"))
            else:
                # a bytearray, since an array of bytes would be read-only
                data = np.frombuffer(bytearray(file.read()), np.uint8)
        except (EOFError, OSError) as error:
            raise unreadable(name, error) from error
    return _unpacked(data, name)


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    """Open an input for a `with` block; the file is closed afterwards, stdin stays open."""
    file = open_input(path)
    try:
        yield file
    finally:
        if path != "-":
            file.close()


def _is_mappable(file: BinaryIO) -> bool:
    """Whether the bytes read are those of a regular file on disk, not decompressed ones."""
    raw = getattr(file, "raw", None)
    return isinstance(raw, io.FileIO) and stat.S_ISREG(os.fstat(raw.fileno()).st_mode)


def _unpacked(data: Bytes, name: str) -> WeightStream:
    header, position = _header(data, name)
    reference = InventoryReference.unpack(header.get("inventory"), name)
    n_bytes = 8 * reference.names
    # the array's length has 4 bytes, which more weights would not fit in
    before = _before_theta(position, n_bytes) if reference.names <= MAX_WEIGHTS else b""
    start = position + len(before)
    # compared, not unpacked: msgpack would copy the whole array into memory
    if data[position:start].tobytes() != before:
        problem = f"expected {reference.names} weights, found something else"
        raise DataError(name, "record 0", problem)
    expected = start + n_bytes + END
    if len(data) != expected:
        problem = f"expected {expected} bytes, found {len(data)}"
        kind = "it was cut off" if len(data) < expected else "more data after the end"
        raise DataError(name, "end record", f"{problem}: {kind}")
    body = data[: start + n_bytes]
    checksum = xxhash.xxh3_64(body.data)
    if data[start + n_bytes :].tobytes() != end_record(1, checksum.digest()):
        raise DataError(name, "end record", "the checksum does not fit: damaged data")
    theta = body[start:].view("<f8")
    for _ in _finite_chunks(theta, name):
        pass  # only checked: theta stays in the mapped file
    return WeightStream(reference, theta, header["signature"], checksum.hexdigest(), name)


def _header(data: Bytes, name: str) -> tuple[dict[str, Any], int]:
    """Return the header and the position where it ends."""
    unpacker = msgpack.Unpacker(raw=False, max_buffer_size=MOST_HEADER)
    unpacker.feed(data[: MOST_HEADER - 1].tobytes())
    try:
        header = unpacker.unpack()
    except (msgpack.UnpackException, ValueError) as error:
        raise DataError(name, "header", "expected a weights stream, found none") from error
    if not isinstance(header, dict) or header.get("kind") != KIND:
        raise DataError(name, "header", "expected a weights stream, found something else")
    if header.get("version") != VERSION:
        problem = f"expected version {VERSION}, found {shortened(header.get('version'))}"
        raise DataError(name, "header", problem)
    if not isinstance(header.get("signature"), str):
        problem = f"expected a text 'signature', found {shortened(header.get('signature'))}"
        raise DataError(name, "header", problem)
    return header, unpacker.tell()


def _finite_chunks(theta: Floats, name: str, names: Names | None = None) -> Iterator[Floats]:
    """Yield theta in chunks of CHUNK weights, so that no mask of all of it is in memory.

    Raises DataError that names the first weight that is not finite.
    """
    for start in range(0, len(theta), CHUNK):
        chunk = theta[start : start + CHUNK]
        if not np.isfinite(chunk).all():
            at = start + int(np.flatnonzero(~np.isfinite(chunk))[0])
            problem = f"expected a finite weight, found {theta[at]}"
            raise DataError(name, _feature(at, names), problem)
        yield chunk
