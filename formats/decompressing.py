"""Reads compressed inputs, recognised by their first bytes: gzip, bzip2, xz, zstd.

Each format's module has exceptions of its own; here a damaged or cut file always raises OSError or
EOFError.
"""

from __future__ import annotations

import io
import re
import sys
import zlib
from types import ModuleType
from typing import BinaryIO, cast

GZIP = b"\x1f\x8b"
XZ = b"\xfd7zXZ\x00"
ZSTD = b"\x28\xb5\x2f\xfd"
BZIP2 = re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)")  # then a block, or the end of an empty file
HEAD = 10  # first bytes that suffice to tell the formats apart
BUFFER = 1 << 17  # bytes of decompressed text
CHUNK = 1 << 16  # bytes of gzip read at a time; Python's own module reads 8192
GZIP_BITS = 31  # zlib's code for the gzip format: zlib then checks its checksum and length


def decompressed(raw: BinaryIO, head: bytes) -> BinaryIO:
    """Return a file of the decompressed bytes; `raw` itself if `head` shows no compression."""
    if head.startswith(GZIP):
        file: io.RawIOBase = _Inflated(raw)
    elif head.startswith(XZ):
        import lzma

        file = _Checked(raw, lzma.LZMAFile(raw), lzma.LZMAError)  # noqa: SIM115
    elif BZIP2.match(head):
        import bz2

        file = _Checked(raw, bz2.BZ2File(raw), ValueError)
    elif head.startswith(ZSTD):
        zstd = zstd_module()
        file = _Checked(raw, zstd.ZstdFile(raw), zstd.ZstdError)
    else:
        return raw
    return cast(BinaryIO, io.BufferedReader(file, BUFFER))


def zstd_module() -> ModuleType:
    """Return the module of zstd: Python's own from 3.14, its backport before."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


class _Checked(io.RawIOBase):
    """Decompressed bytes of a file; the module's own exception class is turned into OSError."""

    def __init__(self, raw: BinaryIO, file: io.BufferedIOBase, error: type[Exception]) -> None:
        self._raw = raw
        self._file = file
        self._error = error

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            return self._file.readinto(buffer)
        except self._error as error:
            raise OSError(str(error)) from error

    def close(self) -> None:
        self._file.close()
        self._raw.close()
        super().close()


class _Inflated(io.RawIOBase):
    """Decompressed bytes of a gzip file of one or more members; only zero bytes may follow."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._member = zlib.decompressobj(GZIP_BITS)
        self._within = False  # whether a member has begun and not ended
        self._input = b""  # bytes that have been read and not decompressed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        size = 0
        while size < len(buffer):
            ended = not self._input and not self._read()
            if not self._within:
                self._input = self._input.lstrip(b"\0")  # padding, which tapes and some tools add
                if ended:
                    break
                if not self._input:
                    continue
            data = self._inflate(len(buffer) - size)
            if ended and self._within and not data:
                raise EOFError("Compressed file ended before the end-of-stream marker was reached")
            buffer[size : size + len(data)] = data
            size += len(data)
        return size

    def _read(self) -> bool:
        read = getattr(self._raw, "read1", self._raw.read)
        self._input = read(CHUNK)
        return bool(self._input)

    def _inflate(self, size: int) -> bytes:
        """Return up to `size` bytes; none when more input is needed, or a member has ended."""
        try:
            data = self._member.decompress(self._input, size)
        except zlib.error as error:
            raise OSError(str(error)) from error
        self._within = not self._member.eof
        self._input = self._member.unconsumed_tail
        if self._member.eof:
            self._input = self._member.unused_data
            self._member = zlib.decompressobj(GZIP_BITS)
        return data

    def close(self) -> None:
        self._raw.close()
        super().close()
