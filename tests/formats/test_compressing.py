"""Text outputs, plain and compressed: the same bytes always, all or nothing, and read back."""

from __future__ import annotations

import errno
import gzip
import os
from pathlib import Path

import pytest

from campanula.formats import compressing
from campanula.formats.compressing import COMPRESSORS, compressor_for, is_compressed
from campanula.formats.decompressing import decompressed
from campanula.formats.errors import DataError
from campanula.formats.files import Output, open_input

TEXT = b"a line of text\n" * 1000
NAMES = ["out.txt", *(f"out.txt{ending}" for ending in COMPRESSORS)]


def test_the_end_of_a_name_tells() -> None:
    assert [name for name in NAMES if is_compressed(name)] == NAMES[1:]
    for path in (None, "-", "gz", "a.gz/b", "a.GZ"):
        assert not is_compressed(path)
        assert compressor_for(path) is None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [0, 1, 100, 1 << 20])
def test_what_is_written_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, size: int
) -> None:
    monkeypatch.setattr(compressing, "MEMBER", 64 if size < 1000 else 1 << 16)
    text = (TEXT * 70)[:size]
    with Output(str(tmp_path / name)) as out:
        for begin in range(0, size, 999):
            out.write(text[begin : begin + 999])
    with open_input(str(tmp_path / name)) as file:
        assert file.read() == text
    with open(tmp_path / name, "rb") as file:
        plain = decompressed(file, file.peek(10)) is file
    assert plain == (name == "out.txt" or not (tmp_path / name).stat().st_size)


@pytest.mark.parametrize("name", NAMES[1:])
def test_binary_outputs_are_as_they_are(tmp_path: Path, name: str) -> None:
    with Output(str(tmp_path / name), binary=True) as out:
        out.write(TEXT)
    assert (tmp_path / name).read_bytes() == TEXT


def test_the_same_bytes_for_any_number_of_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compressing, "MEMBER", 1000)
    contents = set()
    for n in (1, 4):
        monkeypatch.setattr(os, "cpu_count", lambda n=n: n)
        with Output(str(tmp_path / f"{n}.gz")) as out:
            out.write(TEXT)
        contents.add((tmp_path / f"{n}.gz").read_bytes())
    assert len(contents) == 1
    assert contents.pop()[4:8] == b"\0\0\0\0"  # no time stamp


@pytest.mark.parametrize("name", NAMES)
def test_an_exception_leaves_nothing(tmp_path: Path, name: str) -> None:
    def write() -> None:
        with Output(str(tmp_path / name)) as out:
            out.write(TEXT)
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        write()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_full_disk_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    class Full:
        def write(self, data: bytes) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

        def close(self) -> None: ...

    def write() -> None:
        with Output(str(tmp_path / name)) as out:
            out._file.close()
            monkeypatch.setattr(out, "_file", Full())
            out.write(TEXT)

    with pytest.raises(DataError, match="No space left"):
        write()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", NAMES)
def test_finished_outputs_have_all_their_text_before_they_are_closed(
    tmp_path: Path, name: str
) -> None:
    with Output(str(tmp_path / name)) as out:
        out.write(TEXT)
        out.finish()
        (held,) = tmp_path.iterdir()
        with open_input(str(held)) as file:
            assert file.read() == TEXT


def test_a_gzip_member_of_its_own_for_every_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compressing, "MEMBER", 4000)
    with Output(str(tmp_path / "a.gz")) as out:
        out.write(TEXT)
    parts = [gzip.compress(TEXT[n : n + 4000], 6, mtime=0) for n in range(0, len(TEXT), 4000)]
    assert (tmp_path / "a.gz").read_bytes() == b"".join(parts)
