"""Compresses outputs whose names end in .gz, .bz2, .xz or .zst; decompressing.py reads them back.

A gzip file is a sequence of members, each of MEMBER bytes of text, which threads compress.  So its
bytes do not depend on the number of processors, nor on the day, since members have no time stamp.
"""

from __future__ import annotations

import gzip
import os
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from campanula.formats.decompressing import zstd_module

if TYPE_CHECKING:
    from concurrent.futures import Future

MEMBER = 1 << 20  # bytes of text in a member of gzip
LEVEL = 6  # of gzip's compression, from 1 to 9
THREADS = 4  # most threads that compress members


class LibraryCompressor(Protocol):
    """A compressor object of the standard library."""

    def compress(self, data: bytes | memoryview, /) -> bytes:
        """Take in some text; return compressed bytes, none while the compressor gathers more."""

    def flush(self) -> bytes:
        """Return the last compressed bytes; the compressor takes nothing afterwards."""


class Compressor:
    """Compresses a text, by a compressor of the standard library."""

    def __init__(self, compressor: LibraryCompressor) -> None:
        self._compressor = compressor
        self._finished = False

    def compress(self, data: bytes | memoryview) -> bytes:
        """Take in some text; return the compressed bytes that are ready."""
        return self._compressor.compress(data)

    def finish(self) -> bytes:
        """Return the rest of the compressed bytes; b"" when it is called again."""
        rest = b"" if self._finished else self._compressor.flush()
        self._finished = True
        return rest

    def close(self) -> None:
        """Discard text that has not been compressed yet, after a failure."""


class _GzipMembers:
    """A compressor that makes gzip members of MEMBER bytes of text in threads."""

    def __init__(self) -> None:
        # every command writes outputs, and few compress them: it takes 4 ms to load
        from concurrent.futures import ThreadPoolExecutor

        self._text = bytearray()
        self._threads = min(THREADS, os.cpu_count() or 1)
        self._pool = ThreadPoolExecutor(self._threads)
        self._members: deque[Future[bytes]] = deque()
        self._empty = True  # whether there is no member yet

    def compress(self, data: bytes | memoryview, /) -> bytes:
        self._text += data
        while len(self._text) >= MEMBER:
            self._submit(bytes(self._text[:MEMBER]))
            del self._text[:MEMBER]
        # two members a thread: one in work and one waiting, so that no thread is idle
        return self._ready(2 * self._threads)

    def flush(self) -> bytes:
        if self._text or self._empty:  # an empty text is one empty member
            self._submit(bytes(self._text))
            self._text.clear()
        rest = self._ready(0)
        self._pool.shutdown()
        return rest

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)

    def _submit(self, text: bytes) -> None:
        self._empty = False
        self._members.append(self._pool.submit(gzip.compress, text, LEVEL, mtime=0))

    def _ready(self, held: int) -> bytes:
        """Return the members in order, all but the last `held`, and wait for them."""
        taken = max(0, len(self._members) - held)
        return b"".join(self._members.popleft().result() for _ in range(taken))


class _GzipCompressor(Compressor):
    """Compresses text as gzip, and ends the threads when it is closed."""

    def __init__(self) -> None:
        self._gzip = _GzipMembers()
        super().__init__(self._gzip)

    def close(self) -> None:
        self._gzip.close()


def _bzip2() -> Compressor:
    import bz2

    return Compressor(bz2.BZ2Compressor())


def _xz() -> Compressor:
    import lzma

    return Compressor(lzma.LZMACompressor())


def _zstd() -> Compressor:
    zstd = zstd_module()
    # with a checksum, as the zstd command writes: without one damage would be read as text
    return Compressor(zstd.ZstdCompressor(options={zstd.CompressionParameter.checksum_flag: True}))


COMPRESSORS: dict[str, Callable[[], Compressor]] = {
    ".gz": _GzipCompressor,
    ".bz2": _bzip2,
    ".xz": _xz,
    ".zst": _zstd,
}


def is_compressed(path: str | None) -> bool:
    """Whether text that is written to a path is compressed; None is stdout, which is not."""
    return path is not None and path.endswith(tuple(COMPRESSORS))


def compressor_for(path: str | None) -> Compressor | None:
    """Return the compressor that the end of a path names, None for plain text."""
    endings = [ending for ending in COMPRESSORS if path is not None and path.endswith(ending)]
    return COMPRESSORS[endings[0]]() if endings else None
