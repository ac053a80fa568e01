from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from tests.listing import plain_lists


def test_columns(tmp_path: Path) -> None:
    text = "score\tid\ttext\tlm\tlen gth\n-1\t7\tthe ||| cat\t-17.4\t2\n.5\t0\t\t1E-5\t0\n"
    zero, seven = plain_lists(tmp_path, text, "tsv")
    assert (zero["text"], zero["score"]) == ([""], [0.5])
    assert zero["features"] == [{"lm": 1e-5, "len gth": 0.0}]
    assert (seven["text"], seven["score"]) == (["the ||| cat"], [-1.0])
    assert seven["features"] == [{"lm": -17.4, "len gth": 2.0}]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("id\tlm\n", "line 1: expected a column 'text', found 'id, lm'"),
        ("text\tlm\n", "line 1: expected a column 'id'"),
        ("id\ttext\tlm\tlm\n", "line 1: expected columns with names of their own, found 'lm'"),
        ("id\ttext\t\n", "line 1: expected columns with names of their own, found ''"),
        ("id\ttext\n0\ta\tb\n", "line 2: expected 2 columns, found 3"),
        ("id\ttext\tlm\n0\ta\tnan\n", "line 2: feature 'lm': expected a finite number"),
        ("id\ttext\tlm\n0\ta\t\n", "line 2: feature 'lm': expected a number, found an empty"),
        ("id\ttext\tscore\n0\ta\t\n", "line 2: score: expected a number, found an empty"),
        ('id\ttext\n0\t"a"\n0\tb\n', "at the end: expected quotes around all texts or none"),
        ("id\ttext\n \ta\n", "line 2: expected the number or the id of a sentence, found ''"),
        ("id\ttext\n", "expected hypotheses, found none"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DataError) as error:
        plain_lists(tmp_path, text, "tsv")
    assert problem in str(error.value)


def test_quotes_of_csv_are_no_part_of_the_text(tmp_path: Path) -> None:
    text = '"id"\t"text"\t"lm"\n"0"\t"a\tb ""c"""\t"-1"\n0\t"d"\t-2\n'
    (zero,) = plain_lists(tmp_path, text, "tsv")
    assert zero["text"] == ['a\tb "c"', "d"]
    assert zero["features"] == [{"lm": -1.0}, {"lm": -2.0}]


def test_quotes_of_a_text_stay(tmp_path: Path) -> None:
    text = 'id\ttext\n0\t" hi " , he said\n0\t" hi "\n'
    (zero,) = plain_lists(tmp_path, text, "tsv")
    assert zero["text"] == ['" hi " , he said', '" hi "']


def test_a_score_alone_is_a_feature(tmp_path: Path) -> None:
    (zero,) = plain_lists(tmp_path, "id\ttext\tscore\n0\ta\t-1\n0\tb\t-2.5\n", "tsv")
    assert zero["score"] == [-1.0, -2.5]
    assert zero["features"] == [{"F0": -1.0}, {"F0": -2.5}]
