"""Parts of a file: whole lists, all of the bytes, and what of a file that has changed."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.nbest.file_parts import Part, parts_of, read_part


def listed(sizes: list[int]) -> bytes:
    """Lists of so many hypotheses."""
    return b"".join(b"%d ||| a b\n" % sid * size for sid, size in enumerate(sizes))


@pytest.mark.parametrize("size", [1, 10, 11, 12, 50, 1000])
@pytest.mark.parametrize("end", [b"", b"9 ||| no line end"])
def test_parts_are_whole_lists_and_all_of_the_file(tmp_path: Path, size: int, end: bytes) -> None:
    path = tmp_path / "f"
    data = listed([3, 1, 7, 1, 1, 4]) + end
    path.write_bytes(data)
    parts = list(parts_of(str(path), 2 * size, size))
    assert [part.end for part in parts[:-1]] == [part.start for part in parts[1:]]
    assert (parts[0].start, parts[-1].end) == (0, len(data))
    found = [read_part(part).data for part in parts]
    assert b"".join(found).removesuffix(b"\n") == data.removesuffix(b"\n")
    assert all(part.endswith(b"\n") for part in found)
    for one, other in pairwise(found):
        assert one.split(b"\n")[-2].split()[0] != other.split()[0]
    # a part goes on to the end of its last list, and no further
    for part in parts[1:-1]:
        beyond = data[part.start + size : part.end].split(b"\n")[1:-1]
        assert len({line.split()[0] for line in beyond}) <= 1


def test_the_first_part_may_begin_with_a_mark_and_lines_end_as_text_has_them(
    tmp_path: Path,
) -> None:
    (tmp_path / "f").write_bytes(b"\xef\xbb\xbf0 ||| a\r\n1 ||| b\r\n2 ||| c")
    parts = parts_of(str(tmp_path / "f"), 1, 1)
    assert [read_part(part).data for part in parts] == [b"0 ||| a\n1 ||| b\n", b"2 ||| c\n"]


def test_nothing_has_no_parts(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"")
    assert list(parts_of(str(tmp_path / "f"))) == []


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    for read in (lambda path: list(parts_of(path)), lambda path: read_part(Part(path, 0, 1))):
        with pytest.raises(DataError, match="cannot be read: No such file"):
            read(str(tmp_path / "none"))


def test_a_file_that_has_become_shorter_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"0 ||| a\n")
    with pytest.raises(DataError, match="expected 9 bytes, found fewer: it has changed"):
        read_part(Part(str(tmp_path / "f"), 2, 9))


def test_a_part_that_is_no_utf8_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"0 ||| \xff\n")
    with pytest.raises(DataError, match="expected UTF-8"):
        read_part(Part(str(tmp_path / "f"), 0, 8))
