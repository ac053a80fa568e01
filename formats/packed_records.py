"""Records that another process has packed: written as they are, with declared names added."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgpack

from campanula.formats.arrays.types import Ids

FEW = 0x80  # msgpack: first byte of a map of fewer than 16 keys, their number in the lower half
MANY = 0xDE  # msgpack: first byte of a map whose number of keys follows in two bytes


class PackedRecords(NamedTuple):
    """Packed records, one after another, without names; ids are those of the Writer's names table.

    sids (n,); record i ends at ends[i] in data; highest (n,): the highest id that each record uses,
    -1 if it uses none.
    """

    sids: Sequence[int]
    data: bytes | memoryview
    ends: Sequence[int]
    highest: Sequence[int]

    def each(self) -> Iterator[tuple[bytes, int]]:
        """Yield the bytes of every record, and the highest id that it uses."""
        bounds = itertools.pairwise([0, *self.ends])
        for (start, end), highest in zip(bounds, self.highest, strict=True):
            yield bytes(self.data[start:end]), highest


class PackedRecord(NamedTuple):
    """A packed record that waits to be written, and the names that it declares."""

    data: bytes
    fresh: Sequence[str]

    def whole(self) -> bytes:
        """Return the record's bytes with its names as the first key."""
        return with_names(self.data, self.fresh)


def with_names(data: bytes, fresh: Sequence[str]) -> bytes:
    """Add the key `names` in front of a packed map; unchanged if there are no names."""
    if not fresh:
        return data
    if data[0] == MANY:
        keys = int.from_bytes(data[1:3], "big")
        start = 3
    else:
        keys = data[0] - FEW
        start = 1
    head: bytes = msgpack.Packer().pack_map_header(keys + 1)
    return b"".join((head, msgpack.packb("names"), msgpack.packb(fresh), data[start:]))


def highest_id(used: Sequence[Ids]) -> int:
    """Return the highest of all ids in some arrays, -1 if there are none."""
    return max((int(ids.max()) for ids in used if len(ids)), default=-1)
