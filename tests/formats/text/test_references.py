"""Reference files: several beside each other, and what is wrong with them in one line."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.text.references import References


def write(path: Path, text: str) -> str:
    path.write_bytes(text.encode("utf-8"))
    return str(path)


def test_lines_of_several_files_belong_together(tmp_path: Path) -> None:
    one, two = write(tmp_path / "a", "x y\n\nz"), write(tmp_path / "b", "1\r\n2\n3\n")
    references = References.read([one, two])
    assert (len(references), references.n_refs) == (3, 2)
    assert [list(references.texts(sid)) for sid in range(3)] == [
        ["x y", "1"],
        ["", "2"],
        ["z", "3"],
    ]


def test_gzip_and_line_separators(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress("a\u2028b\x85c\n".encode()))
    assert list(References.read([str(path)]).texts(0)) == ["a\u2028b\x85c"]


def test_empty_file(tmp_path: Path) -> None:
    assert len(References.read([write(tmp_path / "a", "")])) == 0


def test_different_lengths_name_both_files_and_counts(tmp_path: Path) -> None:
    one, two = write(tmp_path / "a", "x\ny\n"), write(tmp_path / "b", "x\n")
    with pytest.raises(DataError) as error:
        References.read([one, two])
    assert str(error.value) == f"{two}: expected 2 lines, as {one} has, found 1"


def test_bad_files(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="found an empty folder"):
        References.read([str(tmp_path)])
    with pytest.raises(DataError, match="cannot be read"):
        References.read([str(tmp_path / "none")])
    (tmp_path / "latin").write_bytes(b"a\nb\xe9\n")
    with pytest.raises(DataError, match=r"latin: line 2: expected UTF-8, found byte 0xe9"):
        References.read([str(tmp_path / "latin")])


def test_digest_tells_texts_and_their_division_apart(tmp_path: Path) -> None:
    texts = ["ab\nc\n", "a\nbc\n", "ab\nc\n\n"]
    digests = {References.read([write(tmp_path / "a", text)]).digest() for text in texts}
    assert len(digests) == 3


def test_references_in_memory_are_those_of_files(tmp_path: Path) -> None:
    sets = [["a", "b c"], ["", "d"]]
    for name, lines in zip("xy", sets, strict=True):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    read = References.read([str(tmp_path / name) for name in "xy"])
    made = References.of(*sets)
    assert (made.n_refs, len(made), made.digest()) == (2, 2, read.digest())
    assert [list(made.texts(sid)) for sid in range(2)] == [["a", ""], ["b c", "d"]]
    with pytest.raises(DataError, match="references 2: expected 1 lines, as references 1 has"):
        References.of(["a"], ["b", "c"])


def test_references_say_whose_they_are() -> None:
    references = References.of(["a", "b"], ["c", "d"])
    assert repr(references) == "<references of 2 sentences: references 1, references 2>"


def parts(folder: Path, *texts: str) -> str:
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"part.{number}").write_text(text)
    return str(folder)


def test_a_folder_of_files(tmp_path: Path) -> None:
    one = parts(tmp_path / "one", "a\nb\n", "c\n")
    same = write(tmp_path / "same", "1\n2\n3\n")
    references = References.read([one, same])
    assert [list(references.texts(sid)) for sid in range(3)] == [["a", "1"], ["b", "2"], ["c", "3"]]
    assert references.first == (0, 2)
    assert references.digest() == References.of(["a", "b", "c"], ["1", "2", "3"]).digest()
    other = parts(tmp_path / "other", "a\n", "b\nc\n")
    with pytest.raises(DataError, match=r"part.1: expected line 3 first, as in .*, found line 2"):
        References.read([one, other])
    single = parts(tmp_path / "single", "a\nb\nc\n")
    with pytest.raises(DataError, match=r"expected 2 files, as .* has, found 1"):
        References.read([one, single])


def test_files_are_the_shards(tmp_path: Path) -> None:
    references = References.read([parts(tmp_path / "one", "a\nb\n", "c\nd\n")])
    references.refuse_other_shards([(0, 1), (2, 3)], "dev")
    references.refuse_other_shards([(1, 1), (3, 3)], "dev")
    with pytest.raises(DataError, match="expected 1 files, as dev has shards, found 2"):
        references.refuse_other_shards([(0, 3)], "dev")
    for spans in ([(0, 2), (3, 3)], [(0, 0), (1, 3)], [(0, 1), (2, 4)]):
        with pytest.raises(DataError, match=r"file .*: expected sentences"):
            references.refuse_other_shards(spans, "dev")
    References.of(["a", "b"]).refuse_other_shards([(0, 3)], "dev")
