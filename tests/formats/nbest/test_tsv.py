import pytest

from campanula.formats.errors import DataError
from tests.listing import plain_lists


def test_columns(tmp_path):
    text = "score\tid\ttext\tlm\tlen gth\n-1\t7\tthe ||| cat\t-17.4\t2\n\t0\t\t1E-5\t\n"
    zero, seven = plain_lists(tmp_path, text, "tsv")
    assert (zero["text"], zero["features"], zero["score"]) == ([""], [{"lm": 1e-5}], None)
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
        ("id\ttext\nx\ta\n", "line 2: expected a sentence number, found 'x'"),
        ("id\ttext\n", "expected hypotheses, found none"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, text, problem):
    with pytest.raises(DataError) as error:
        plain_lists(tmp_path, text, "tsv")
    assert problem in str(error.value)
