"""Results of forked processes: a header behind its length, and data behind the header."""

from __future__ import annotations

import struct

from campanula.stages.parallel.forks import Buffer

SIZE = struct.Struct("=q")  # bytes of the header


def framed(header: bytes) -> list[Buffer]:
    """Return a header with its length in front; the data may follow in further buffers."""
    return [SIZE.pack(len(header)), header]


def unframed(data: memoryview) -> tuple[memoryview, memoryview]:
    """Return the header, and what stands behind it; neither is copied."""
    (size,) = SIZE.unpack_from(data)
    start = SIZE.size + size
    return data[SIZE.size : start], data[start:]
