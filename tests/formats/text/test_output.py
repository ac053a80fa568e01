"""Text outputs, plain and compressed: the same bytes always, all or nothing."""

from __future__ import annotations

import errno
import gzip
import os
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.text import output as text_output
from campanula.formats.text.output import TextOutput

TEXT = b"a line of text\n" * 1000


@pytest.mark.parametrize("name", ["out.txt", "out.txt.gz"])
@pytest.mark.parametrize("size", [0, 1, 100, 1 << 20])
def test_what_is_written_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, size: int
) -> None:
    monkeypatch.setattr(text_output, "MEMBER", 64 if size < 1000 else 1 << 16)
    text = (TEXT * 70)[:size]
    with TextOutput(str(tmp_path / name)) as out:
        for begin in range(0, size, 999):
            out.write(text[begin : begin + 999])
    found = (tmp_path / name).read_bytes()
    assert (gzip.decompress(found) if name.endswith(".gz") else found) == text


def test_the_same_bytes_for_any_number_of_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_output, "MEMBER", 1000)
    found = set()
    for n in (1, 4):
        monkeypatch.setattr(os, "cpu_count", lambda n=n: n)
        with TextOutput(str(tmp_path / f"{n}.gz")) as out:
            out.write(TEXT)
        found.add((tmp_path / f"{n}.gz").read_bytes())
    assert len(found) == 1
    assert found.pop()[4:8] == b"\0\0\0\0"  # no time stamp


@pytest.mark.parametrize("name", ["out.txt", "out.txt.gz"])
def test_an_exception_leaves_nothing(tmp_path: Path, name: str) -> None:
    def write() -> None:
        with TextOutput(str(tmp_path / name)) as out:
            out.write(TEXT)
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        write()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["out.txt", "out.txt.gz"])
def test_a_full_disk_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    class Full:
        def write(self, data: bytes) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

        def close(self) -> None: ...

    def write() -> None:
        with TextOutput(str(tmp_path / name)) as out:
            out._file.close()
            monkeypatch.setattr(out, "_file", Full())
            out.write(TEXT)

    with pytest.raises(DataError, match="No space left"):
        write()
    assert list(tmp_path.iterdir()) == []


def test_finished_outputs_have_all_their_text_before_they_are_closed(tmp_path: Path) -> None:
    with TextOutput(str(tmp_path / "a.gz")) as out:
        out.write(TEXT)
        out.finish()
        (held,) = tmp_path.iterdir()
        assert gzip.decompress(held.read_bytes()) == TEXT
