"""K plain lines a sentence, with scores beside the texts or without."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.nbest.plain_lines import is_beams
from tests.listing import with_settings


def test_lines(tmp_path: Path) -> None:
    first, second = with_settings(tmp_path, "the cat\na cat\n\n the dog \n", "lines", size=2)
    assert (first["sid"], first["text"]) == (0, ["the cat", "a cat"])
    assert (second["sid"], second["text"]) == (1, ["", "the dog"])
    assert first["features"] == [{}, {}]


@pytest.mark.parametrize("form", ["lines", "nemo"])
def test_scores_behind_and_before(tmp_path: Path, form: str) -> None:
    text = "12\t-0.5\n\t-7.25\n"
    (behind,) = with_settings(tmp_path, text, form, size=2)
    assert (behind["text"], behind["score"]) == (["12", ""], [-0.5, -7.25])
    assert behind["features"] == [{"F0": -0.5}, {"F0": -7.25}]
    (before,) = with_settings(tmp_path, "-0.5\tthe cat\n-7.25\t12\n", form, size=2)
    assert (before["text"], before["score"]) == (["the cat", "12"], [-0.5, -7.25])


def test_several_numbers_are_features(tmp_path: Path) -> None:
    (found,) = with_settings(tmp_path, "a\t1\t2\nb\t3\t4\n", "lines", size=2)
    assert (found["score"], found["features"][1]) == (None, {"F0": 3.0, "F1": 4.0})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a\nb\nc\n", "at the end: expected 2 lines a sentence, found 3 lines, 1 too many"),
        ("a\t1\nb\n", "line 2: expected 2 columns, as in the first line, found 1: 'b'"),
        ("a\t1\nb\tx\n", "line 2: score: expected a number, found 'x'"),
        ("a\t1\nb\tnan\n", "line 2: score: expected a finite number, found 'nan'"),
        ("", "expected hypotheses, found none"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DataError) as error:
        with_settings(tmp_path, text, "lines", size=2)
    assert problem in str(error.value)


def test_beams_have_a_number_behind_each_text() -> None:
    assert is_beams(["a b\t-1.5", "\tnan"])
    assert not is_beams(["a b", "c\t-1"])
    assert not is_beams(["a\tb\t-1"])
