"""Files of word classes: read as mkcls writes them, and what is no such file."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.text.word_classes import (
    classes_of_lines,
    read_word_classes,
    word_class_lines,
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    words = [("a", 2), ("ä\u00a0b", 13), ("\u2028", 2)]
    path = tmp_path / "classes"
    path.write_text("".join(word_class_lines(words)), encoding="utf-8")
    expected = {word.encode(): str(number).encode() for word, number in words}
    assert read_word_classes(str(path)) == expected


def test_classes_may_have_names(tmp_path: Path) -> None:
    (tmp_path / "classes").write_text("dog\tNN\ncat\tNN\nx\t<unk>\n")
    expected = {b"dog": b"NN", b"cat": b"NN", b"x": b"<unk>"}
    assert read_word_classes(str(tmp_path / "classes")) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "classes: expected words with classes, found none"),
        ("a\t1\nb 2\n", "line 2: expected `word<TAB>class`, found 'b 2'"),
        ("a\t1\t2\n", "line 1: expected `word<TAB>class`"),
        ("\t1\n", "line 1: expected `word<TAB>class`"),
        ("a\t\n", "line 1: expected `word<TAB>class`"),
        ("a b\t1\n", "line 1: expected `word<TAB>class`"),
        ("a\t1\nb\t1\na\t2\n", "line 3: expected each word once, found 'a' for the second time"),
        ("a\t<s>\n", "line 1: expected a class, found <s>"),
    ],
)
def test_what_is_no_such_file(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "classes").write_text(text)
    with pytest.raises(DataError, match=message):
        read_word_classes(str(tmp_path / "classes"))


def test_lines_of_classes() -> None:
    classes = {b"a": b"1", "ä\u00a0b".encode(): b"2"}
    lines = ["a  \tä\u00a0b", "", "a"]
    assert list(classes_of_lines(lines, classes, "text", "map")) == ["1 2", "", "1"]
    with pytest.raises(DataError, match="text: line 2: expected words that have a class in map, f"):
        list(classes_of_lines(["a", "a c"], classes, "text", "map"))
    with pytest.raises(DataError, match="expected words that have a class in map, found 'b'"):
        list(classes_of_lines(["a b"], {**classes, b"b": b"<unk>"}, "text", "map"))
