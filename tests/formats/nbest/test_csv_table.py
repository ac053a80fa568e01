"""Tables of CSV, as pandas and spreadsheets write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.nbest.csv_table import header
from tests.listing import plain_lists, with_settings

TEXT = 'utt_id,text,score,am,lm\nu1,"hello, ""world""",-12.5,-8,-4.5\nu2,,-1,2,1e-3\nu1,x,0,1,2\n'


def test_columns(tmp_path: Path) -> None:
    first, second = plain_lists(tmp_path, TEXT, "csv")
    assert (first["id"], first["text"], first["score"]) == (
        "u1",
        ['hello, "world"', "x"],
        [-12.5, 0.0],
    )
    assert first["features"] == [{"am": -8.0, "lm": -4.5}, {"am": 1.0, "lm": 2.0}]
    assert (second["id"], second["text"]) == ("u2", [""])


def test_semicolons_line_ends_and_the_index_of_pandas(tmp_path: Path) -> None:
    text = ';id;text;lm\n0;3;"a\nb, c";-1\n1;3;d;-2\n'
    (found,) = plain_lists(tmp_path, text, "csv")
    assert (found["sid"], found["text"]) == (3, ["a\nb, c", "d"])
    assert found["features"] == [{"lm": -1.0}, {"lm": -2.0}]


def test_columns_that_are_called_otherwise(tmp_path: Path) -> None:
    text = "file,hyp,ctc,ref\na.wav,hello,-1,hello you\n"
    given = {"id": "file", "text": "hyp", "features": {"CTC": "ctc"}}
    (found,) = with_settings(tmp_path, text, "csv", **given)
    assert (found["id"], found["features"]) == ("a.wav", [{"CTC": -1.0}])
    assert found["fields"] == {"ref": ["hello you"]}
    (found,) = with_settings(tmp_path, text, "csv", **given, score="ctc")
    assert found["score"] == [-1.0]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("id,lm\n", "line 1: expected a column 'text', found 'id, lm'"),
        ("text,lm\n", "line 1: expected a column 'id', found 'text, lm'"),
        ("id,text,lm,lm\n", "line 1: expected columns with names of their own, found 'lm'"),
        ("id,text,lm\n0,a\n", "line 2: expected 3 columns, found 2: '0 a'"),
        ("id,text,lm\n0,a,\n", "line 2: feature 'lm': expected a number, found an empty cell"),
        ("id,text,lm\n0,a,nan\n", "line 2: feature 'lm': expected a finite number, found 'nan'"),
        ('id,text,lm\n0,"a\nb",1\n0,b,x\n', "line 4: feature 'lm': expected a number, found 'x'"),
        ('id,text,lm\n0,"a,1\n', "line 2: expected a row of CSV: unexpected end of data"),
        (",id,text\n7,0,a\n", "line 2: expected 0 in the column without a name, found '7'"),
        ("id,text\n,a\n", "line 2: expected the number or the id of a sentence, found ''"),
        ("id,text\n", "expected hypotheses, found none"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DataError) as error:
        plain_lists(tmp_path, text, "csv")
    assert problem in str(error.value)


def test_a_long_answer(tmp_path: Path) -> None:
    text = "a" * 200_000
    (found,) = plain_lists(tmp_path, f'id,text,lm\nu,"{text}",1\n', "csv")
    assert found["text"] == [text]


def test_headers() -> None:
    assert header('"id","text"') == (",", ["id", "text"])
    assert header("utt_id;lm;text") == (";", ["utt_id", "lm", "text"])
    assert header("id\ttext") is None
    assert header("hello, world") is None
