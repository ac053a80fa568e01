"""A folder of text files is one text, and what could be read in another order is refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.errors import DataError
from campanula.formats.text.parts import TextLines, _numbered


def test_a_folder_is_the_text_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "part.00").write_text("a\nb\n")
    (tmp_path / "part.01.gz").write_bytes(gzip.compress(b"\nc"))
    (tmp_path / "part.02").write_text("d\n")
    (tmp_path / ".hidden").write_text("x\n")
    text = TextLines(str(tmp_path))
    assert list(text) == ["a", "b", "", "c", "d"]
    assert (text.first, text.count, text.in_parts) == ([0, 2, 4], 5, True)
    assert list(text) == ["a", "b", "", "c", "d"]


def test_the_start_of_a_file_is_known_with_its_first_line(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}").write_text("a\nb\n")
    text = TextLines(str(tmp_path))
    assert [len(text.first) for _ in text] == [1, 1, 2, 2, 3, 3]


def test_a_file_is_its_lines(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("a\n\n")
    text = TextLines(str(tmp_path / "one"))
    assert list(text) == ["a", ""]
    assert not text.in_parts
    (tmp_path / "none").write_text("")
    assert list(TextLines(str(tmp_path / "none"))) == []


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "found an empty folder"),
        ([".hidden"], "found an empty folder"),
        (["collection.json", "shard-00000.kbest"], "found a collection of lists"),
        (["part.9", "part.10"], "found part.10 before part.9"),
        (["9", "10", "x"], "found 10 before 9"),
    ],
)
def test_folders_that_are_no_text(tmp_path: Path, names: list[str], message: str) -> None:
    for name in names:
        (tmp_path / name).write_text("a\n")
    with pytest.raises(DataError, match=message):
        TextLines(str(tmp_path))


def test_a_part_without_a_line_or_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "part.0").write_text("a\n")
    (tmp_path / "part.1").write_text("")
    with pytest.raises(DataError, match="expected lines of text") as failure:
        list(TextLines(str(tmp_path)))
    assert failure.value.where == str(tmp_path / "part.1")
    (tmp_path / "part.2").mkdir()
    with pytest.raises(DataError, match="found a folder, pipe or device") as failure:
        TextLines(str(tmp_path))
    assert failure.value.where == str(tmp_path / "part.2")


@given(st.lists(st.integers(0, 10**6), min_size=1, unique=True), st.integers(7, 9))
def test_numbers_of_one_width_sort_as_they_are(numbers: list[int], width: int) -> None:
    names = [f"part.{number:0{width}d}.gz" for number in sorted(numbers)]
    assert sorted(names) == names == sorted(names, key=_numbered)
