from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.nbest import blocks
from campanula.formats.nbest.blocks import (
    SIZE,
    Block,
    count_lines,
    read_ahead,
    read_blocks,
    small,
    whole_lines,
)

ODD = "\ufeffa\r\nb\u2028\x85\x1c\u00a0c\n\n\rd\r\r\n|||\ne".encode()


def lines(path: Path, data: bytes, size: int) -> list[tuple[int, str]]:
    path.write_bytes(data)
    return [line for block in read_blocks(str(path), size) for line in block.lines()]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_lines_and_their_numbers_do_not_depend_on_the_blocks(tmp_path: Path, size: int) -> None:
    expected = ["a", "b\u2028\x85\x1c\u00a0c", "", "\rd\r", "|||", "e"]
    numbered = [(number, line) for number, line in enumerate(expected, 1) if line]
    assert lines(tmp_path / "f", ODD, size) == numbered


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_the_lines_of_blocks_are_counted_where_they_are_read(tmp_path: Path, size: int) -> None:
    path = tmp_path / "f"
    path.write_bytes(ODD + b"\n" + ODD + b"\n")
    counted = [block for block in read_blocks(str(path), size) if block.n_lines is not None]
    assert len(counted) > 1 or size == 1000
    assert all(block.n_lines == count_lines(block.data) for block in counted)
    assert all(part.n_lines == count_lines(part.data) for block in counted for part in small(block))


@pytest.mark.parametrize("size", [2, 1000])
def test_what_is_no_utf8_is_named_by_line_and_column(tmp_path: Path, size: int) -> None:
    with pytest.raises(DataError, match="f: line 3: expected UTF-8, found byte 0xff at column 2"):
        lines(tmp_path / "f", b"a\nbc\nd\xff\n", size)


def test_a_cut_gzip_file_is_an_error(tmp_path: Path) -> None:
    text = "\n".join(str(random.Random(1).random()) for _ in range(5000)).encode()
    with pytest.raises(DataError, match="f: cannot be read: Compressed file end"):
        lines(tmp_path / "f", gzip.compress(text)[:-20], 1000)


@pytest.mark.parametrize(("data", "expected"), [(b"", []), (b"\n\n", []), (b"\xef\xbb\xbf", [])])
def test_nothing(tmp_path: Path, data: bytes, expected: list[tuple[int, str]]) -> None:
    assert lines(tmp_path / "f", data, 10) == expected


def test_reading_ahead_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(ODD * 100_000)
    path = str(tmp_path / "f")
    assert list(read_ahead(path)) == list(read_blocks(path))
    (tmp_path / "f").write_bytes(ODD * 100_000 + b"\xff")
    with pytest.raises(DataError, match="expected UTF-8"):
        list(read_ahead(path))
    with pytest.raises(DataError, match="cannot be read"):
        list(read_ahead(str(tmp_path / "none")))


@pytest.mark.parametrize("size", [1, 3, 4, 7])
def test_a_line_that_is_too_long_comes_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr("campanula.formats.nbest.blocks.LONGEST_LINE", 9)
    text = "\ufeffab\n" + "\u4e2d\U0001f600e\r" * 9 + "\r\nc\n"
    (tmp_path / "f").write_bytes(text.encode())
    blocks = list(read_blocks(str(tmp_path / "f"), size))
    whole = text.removeprefix("\ufeff").replace("\r\n", "\n")
    assert b"".join(block.data for block in blocks).decode() == whole
    assert max(len(block.data) for block in blocks) <= 9 + 2 * size + 4
    for block in blocks:
        block.data.decode()
    with pytest.raises(DataError, match="f: line 2: expected a line of at most"):
        list(whole_lines(blocks))


def test_a_large_block_is_cut_up() -> None:
    lines = [b"x" * (n % 700) + b"\n" for n in range(3000)]
    block = Block("f", 5, b"".join(lines))
    parts = list(small(block))
    assert len(parts) > 2
    assert b"".join(part.data for part in parts) == block.data
    number = 5
    for part in parts:
        assert part.number == number
        assert part.first_line().encode() == lines[number - 5].strip()
        assert SIZE <= len(part.data) < SIZE + 701 or part is parts[-1]
        number += count_lines(part.data)
    assert number == 3005


def test_long_lists_are_read_in_larger_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "SHORT", 1000)
    monkeypatch.setattr(blocks, "LARGE", 4000)
    text = "".join(f"line {n}\n" for n in range(2000))
    (tmp_path / "f").write_text(text)
    found = list(read_blocks(str(tmp_path / "f"), size=500))
    assert "".join(block.data.decode() for block in found) == text
    assert [len(block.data) // 700 for block in found[:4]] == [0, 0, 5, 5]
    numbers = [int(block.first_line().split()[1]) + 1 for block in found]
    assert [block.number for block in found] == numbers
