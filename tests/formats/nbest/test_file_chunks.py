"""Chunks of files: whole lists, all of the bytes, and what of a file that has changed."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.nbest import file_chunks
from campanula.formats.nbest.file_chunks import ChunkedFiles, FileChunk


def listed(sizes: list[int]) -> bytes:
    """Lists of so many hypotheses."""
    return b"".join(b"%d ||| a b\n" % sid * size for sid, size in enumerate(sizes))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "f"


@pytest.mark.parametrize("size", [1, 10, 11, 12, 50, 1000])
@pytest.mark.parametrize("end", [b"", b"9 ||| no line end"])
def test_chunks_are_whole_lists_and_all_of_the_file(path: Path, size: int, end: bytes) -> None:
    data = listed([3, 1, 7, 1, 1, 4]) + end
    path.write_bytes(data)
    with ChunkedFiles([str(path)], 2 * size, size) as files:
        chunks = list(files.chunks())
        texts = [files.read(chunk).data for chunk in chunks]
    assert [chunk.end for chunk in chunks[:-1]] == [chunk.start for chunk in chunks[1:]]
    assert (chunks[0].start, chunks[-1].end) == (0, len(data))
    assert b"".join(texts).removesuffix(b"\n") == data.removesuffix(b"\n")
    assert all(text.endswith(b"\n") for text in texts)
    for one, other in pairwise(texts):
        assert one.split(b"\n")[-2].split()[0] != other.split()[0]
    # a chunk goes on to the end of its last list, and no further
    for chunk in chunks[1:-1]:
        beyond = data[chunk.start + size : chunk.end].split(b"\n")[1:-1]
        assert len({line.split()[0] for line in beyond}) <= 1


def test_a_list_longer_than_a_line_may_be_is_not_read_to_its_end(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_chunks, "LONGEST_LINE", 30)
    path.write_bytes(listed([20, 1]))
    with ChunkedFiles([str(path)], 1, 1) as files:
        chunks = list(files.chunks())
    assert all(30 < chunk.end - chunk.start <= 50 for chunk in chunks[:-2])
    assert chunks[-1].end == len(listed([20, 1]))


def test_files_come_one_after_another(path: Path, tmp_path: Path) -> None:
    path.write_bytes(listed([2, 2]))
    (tmp_path / "g").write_bytes(listed([1]))
    with ChunkedFiles([str(path), str(tmp_path / "g")], 1, 1) as files:
        chunks = list(files.chunks())
        texts = [files.read(chunk).data for chunk in chunks]
    assert [chunk.file for chunk in chunks] == [0, 0, 1]
    assert b"".join(texts) == listed([2, 2]) + listed([1])


def test_the_first_chunk_may_begin_with_a_mark_and_lines_end_as_text_has_them(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf0 ||| a\r\n1 ||| b\r\n2 ||| c")
    with ChunkedFiles([str(path)], 1, 1) as files:
        texts = [files.read(chunk).data for chunk in files.chunks()]
    assert texts == [b"0 ||| a\n1 ||| b\n", b"2 ||| c\n"]


def test_an_empty_file_is_an_error(path: Path) -> None:
    path.write_bytes(b"")
    with ChunkedFiles([str(path)]) as files, pytest.raises(DataError, match="found none"):
        list(files.chunks())


def test_a_file_that_cannot_be_opened_is_an_error(path: Path, tmp_path: Path) -> None:
    path.write_bytes(b"0")
    with pytest.raises(DataError, match="none: cannot be read: No such file"):
        ChunkedFiles([str(path), str(tmp_path / "none")])


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"0 ||| \xff\n", "expected UTF-8"),
        (b"\x93NUMPY" + bytes(122), "expected n-best lists, found a NumPy array"),
    ],
)
def test_what_is_no_list_is_an_error(path: Path, data: bytes, problem: str) -> None:
    path.write_bytes(data)
    with ChunkedFiles([str(path)]) as files, pytest.raises(DataError, match=problem):
        files.read(FileChunk(0, 0, len(data)))


def test_a_file_that_changes_is_an_error(path: Path) -> None:
    path.write_bytes(listed([2, 2]))
    with ChunkedFiles([str(path)]) as files:
        files.check_unchanged()
        os.truncate(path, 9)
        with pytest.raises(DataError, match="found that it changed while it was read"):
            files.read(FileChunk(0, 2, 20))
        with pytest.raises(DataError, match="found that it changed while it was read"):
            files.check_unchanged()


def test_a_file_in_the_place_of_another_is_another_file(path: Path, tmp_path: Path) -> None:
    path.write_bytes(listed([2, 2]))
    with ChunkedFiles([str(path)], 1, 1) as files:
        (tmp_path / "g").write_bytes(b"x" * 99)
        os.replace(tmp_path / "g", path)
        assert b"".join(files.read(chunk).data for chunk in files.chunks()) == listed([2, 2])
        files.check_unchanged()
