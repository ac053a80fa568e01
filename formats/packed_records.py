"""Records that were packed elsewhere: written as they are, but for the names that they declare."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgpack

from campanula.formats.arrays.types import Ids

FEW = 0x80  # begins a map of fewer than 16 keys, and has their number in its lower half
MANY = 0xDE  # begins one whose number of keys follows in two bytes


class PackedRecords(NamedTuple):
    """Records one behind the other, without names, with ids of the table that a Writer has.

    sids (n,); record i ends at ends[i] in data; highest (n,) the highest id that each uses, -1 for
    none.
    """

    sids: Sequence[int]
    data: bytes | memoryview
    ends: Sequence[int]
    highest: Sequence[int]

    def each(self) -> Iterator[tuple[bytes, int]]:
        """Yield every record, and the highest id that it uses."""
        bounds = itertools.pairwise([0, *self.ends])
        for (start, end), highest in zip(bounds, self.highest, strict=True):
            yield bytes(self.data[start:end]), highest


class PackedRecord(NamedTuple):
    """A record that waits to be written, and the names that it declares."""

    data: bytes
    fresh: Sequence[str]

    def whole(self) -> bytes:
        """The record with its names in front."""
        return with_names(self.data, self.fresh)


def with_names(data: bytes, fresh: Sequence[str]) -> bytes:
    """A record, which has no names, with some in front."""
    if not fresh:
        return data
    if data[0] == MANY:
        keys, start = int.from_bytes(data[1:3], "big"), 3
    else:
        keys, start = data[0] - FEW, 1
    head: bytes = msgpack.Packer().pack_map_header(keys + 1)
    return b"".join((head, msgpack.packb("names"), msgpack.packb(fresh), data[start:]))


def highest_id(used: Sequence[Ids]) -> int:
    """The highest of some ids, -1 if there are none."""
    return max((int(ids.max()) for ids in used if len(ids)), default=-1)
