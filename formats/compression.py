"""Compressed inputs, told by their first bytes: gzip, xz, zstd.

Each format's modules have errors of their own; here a damaged or cut file is an OSError or an
EOFError.
"""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from types import ModuleType
from typing import BinaryIO, cast

GZIP = b"\x1f\x8b"
XZ = b"\xfd7zXZ\x00"
ZSTD = b"\x28\xb5\x2f\xfd"
HEAD = 6  # bytes that tell the formats apart
BUFFER = 1 << 17


def decompressed(raw: BinaryIO, head: bytes) -> BinaryIO:
    """The file behind the compression that its first bytes show; itself when they show none."""
    if head.startswith(GZIP):
        file = _Checked(gzip.GzipFile(fileobj=raw), zlib.error)
    elif head.startswith(XZ):
        import lzma

        file = _Checked(lzma.LZMAFile(raw), lzma.LZMAError)  # noqa: SIM115
    elif head.startswith(ZSTD):
        zstd = _zstd()
        file = _Checked(zstd.ZstdFile(raw), zstd.ZstdError)
    else:
        return raw
    return cast(BinaryIO, io.BufferedReader(file, BUFFER))


def _zstd() -> ModuleType:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


class _Checked(io.RawIOBase):
    """Bytes of a file object, with errors of one class turned into OSError."""

    def __init__(self, file: io.BufferedIOBase, error: type[Exception]) -> None:
        self._file, self._error = file, error

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            return self._file.readinto(buffer)
        except self._error as error:
            raise OSError(str(error)) from error

    def close(self) -> None:
        self._file.close()
        super().close()
