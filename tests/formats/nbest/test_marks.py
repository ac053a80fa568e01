from __future__ import annotations

import pytest

from campanula.formats.errors import LineError
from campanula.formats.nbest.marks import Marks
from campanula.formats.records.texts import Texts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b |0-1| to |3-3|", ("a b to", "0-1=0-1 3=2")),
        ("a |8-8| b |7-7|", ("a b", "8=0 7=1")),
        ("|0-0| a |1-1|", ("a", "0= 1=0")),
        ("|0-0|", ("", "0=")),
        ("the cat", ("the cat", None)),
        ("a |0-1| b", ("a |0-1| b", None)),
        ("|0-1", ("|0-1", None)),
        ("", ("", None)),
    ],
)
def test_marks_are_taken_from_a_text_that_ends_in_one(
    text: str, expected: tuple[str, str | None]
) -> None:
    assert Marks().parted(text) == expected


def test_in_a_list_with_marks_only_a_text_without_any_may_lack_one_at_its_end() -> None:
    marks = Marks()
    marks.parted("a |0-0|")
    assert marks.parted("le chat") == ("le chat", "")
    assert marks.parted("") == ("", "")
    with pytest.raises(LineError, match="expected a mark such as"):
        marks.parted("a |0-0| b")


def test_a_mark_inside_an_earlier_text_is_no_word_of_it() -> None:
    marks = Marks()
    assert marks.parted("the |0-0| cat") == ("the |0-0| cat", None)
    with pytest.raises(LineError, match=r"at the end of every text .* found 'the \|0-0\| cat'"):
        marks.parted("a |0-0| cat |1-1|")


def test_marks_with_more_in_them_are_refused() -> None:
    with pytest.raises(LineError, match="found marks with more in them"):
        Marks().parted("a |0-0,wa=0-0 ,total=-3|")


def test_many_texts_without_marks() -> None:
    marks = Marks()
    assert marks.absent(Texts.of(["a|b", "", "c || 0-1"]))
    assert not marks.absent(Texts.of(["a |0-1|"]))
    marks.parted("a |0-1|")
    assert not marks.absent(Texts.of(["a"]))
