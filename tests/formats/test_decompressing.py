from __future__ import annotations

import gzip
import io
import lzma
import zlib
from collections.abc import Callable

import pytest
from backports import zstd

from campanula.formats.decompressing import decompressed

TEXT = b"".join(b"line %d of some text\n" % i for i in range(5000))
CHECKED: dict[int, int] = {zstd.CompressionParameter.checksum_flag: 1}  # as the zstd command writes
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "xz": lzma.compress,
    "zstd": lambda data: zstd.compress(data, options=CHECKED),
}


def read(data: bytes) -> bytes:
    return decompressed(io.BytesIO(data), data[:6]).read()


@pytest.mark.parametrize("how", COMPRESS)
def test_content_tells_the_compression(how: str) -> None:
    assert read(COMPRESS[how](TEXT)) == TEXT


@pytest.mark.parametrize("how", COMPRESS)
def test_files_one_after_the_other(how: str) -> None:
    assert read(COMPRESS[how](TEXT) + COMPRESS[how](b"more\n")) == TEXT + b"more\n"


@pytest.mark.parametrize("data", [b"", b"\x1f", b"plain text", b"\xfd7z"])
def test_anything_else_is_left_alone(data: bytes) -> None:
    assert read(data) == data


@pytest.mark.parametrize("how", COMPRESS)
@pytest.mark.parametrize("share", [0.3, 0.9, 0.999])
def test_a_cut_file_is_an_error(how: str, share: float) -> None:
    data = COMPRESS[how](TEXT)
    with pytest.raises((EOFError, OSError)):
        read(data[: int(len(data) * share)])


@pytest.mark.parametrize("how", COMPRESS)
def test_a_damaged_file_is_an_error(how: str) -> None:
    data = bytearray(COMPRESS[how](TEXT))
    data[len(data) // 2] ^= 0xFF
    with pytest.raises((EOFError, OSError)):
        read(bytes(data))


def test_zeros_may_follow_a_gzip_member() -> None:
    data = gzip.compress(TEXT)
    assert read(data + bytes(100_000)) == TEXT
    assert read(data + bytes(3) + gzip.compress(b"more\n") + bytes(1)) == TEXT + b"more\n"
    with pytest.raises(OSError, match="header"):
        read(data + b"something else")


def test_zlib_errors_do_not_pass() -> None:
    assert not issubclass(zlib.error, OSError)  # the reason for turning them into one
