"""Blocks have the lines of read_lines, and its errors."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.files import read_lines
from campanula.formats.lines import PIECE
from campanula.formats.text.line_blocks import read_line_blocks

GOOD = [
    b"",
    b"\n",
    b"a",
    b"a\nb",
    b"a\r\nb\r\n\r\n",
    "\ufeffa\u00e9\nb".encode(),
    b"\xef\xbb\xbf",
    b"x" * (PIECE + 3) + b"\ny\n" + b"z" * PIECE,
    "\u20ac \n".encode() * PIECE,
]


@pytest.mark.parametrize("data", GOOD)
@pytest.mark.parametrize("compressed", [True, False])
def test_the_same_lines(tmp_path: Path, data: bytes, compressed: bool) -> None:
    path = tmp_path / "text"
    path.write_bytes(gzip.compress(data) if compressed else data)
    blocks = list(read_line_blocks(str(path)))
    assert all(block.endswith(b"\n") for block in blocks)
    lines = b"".join(blocks).split(b"\n")[:-1]
    assert [line.removesuffix(b"\r").decode() for line in lines] == list(read_lines(str(path)))


BAD = [
    b"a\nb\xff\nc",
    b"a\n" * PIECE + b"\xe2\x82\n",
    "\ufeffa\nb".encode() + b"\xc3",
    gzip.compress(b"a\n" * 99_999)[:90],
    b"{\\rtf1",
    b"a" * ((1 << 25) + 1),
    b"a\n" + b"a" * ((1 << 25) + 1) + b"\n",
]


@pytest.mark.parametrize("data", BAD, ids=range(len(BAD)))
def test_the_same_errors(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "text").write_bytes(data)
    path = str(tmp_path / "text")
    with pytest.raises(DataError) as expected:
        list(read_lines(path))
    with pytest.raises(DataError) as found:
        list(read_line_blocks(path))
    assert str(found.value) == str(expected.value)
