"""Tables whose scores are the relative frequencies of their counts, and others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from campanula.formats.errors import DataError
from campanula.formats.model.files import ModelFiles
from campanula.formats.model.model import load_model
from campanula.stages.decoding.left_out.relative_frequencies import refuse_other_scores
from tests.examples import MOSES
from tests.training import Corpus

GOOD = [
    "a b ||| u ||| 0.5 1 1 1 ||| 0-0 ||| 2 1 1 ||| |||",
    "c ||| u v ||| 0.142857 0.3 0.333333 0.4 ||| 0-0 ||| 7 3 1 ||| |||",
    "c ||| ||| 1 0.3 0.666667 0.4 ||| 0-0 ||| 2 3 2 ||| |||",
]


def check(tmp_path, lines):
    path = tmp_path / "table"
    path.write_text("".join(f"{line}\n" for line in lines))
    model = load_model(ModelFiles(str(path)), str(tmp_path / "cache"))
    refuse_other_scores(model, "table")


def test_relative_frequencies(tmp_path):
    check(tmp_path, GOOD)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            "0.142857",
            "0.1428",
            "row 'c ||| u v': expected relative frequencies of its counts 7 3 1",
        ),
        ("0.333333", "0.3", "row 'c ||| u v': expected relative frequencies of its counts 7 3 1"),
        (" 2 1 1 ", " 2 1 ", "row 'a b ||| u': expected counts of at least 1"),
        (" 2 1 1 ", " 2 1 0 ", "row 'a b ||| u': expected counts of at least 1"),
        (
            "0.666667 0.4 ||| 0-0 ||| 2 3 2",
            "1 0.4 ||| 0-0 ||| 2 2 2",
            "row 'c |||': expected n(f) = 3",
        ),
    ],
)
def test_other_scores_are_refused_by_row(tmp_path, old, new, problem):
    text = "\n".join(GOOD)
    assert text.count(old) == 1
    with pytest.raises(DataError) as caught:
        check(tmp_path, text.replace(old, new).split("\n"))
    assert problem in str(caught.value)


def test_tables_with_nothing_to_leave_out(tmp_path):
    with pytest.raises(DataError, match="expected counts as the fifth field of each row"):
        check(tmp_path, ["a ||| u ||| 1 1 1 1"])
    with pytest.raises(DataError, match=r"expected the scores p\(f\|e\) lex p\(e\|f\), found 2"):
        check(tmp_path, ["a ||| u ||| 1 1 ||| 0-0 ||| 1 1 1"])


def assert_frequencies(model):
    """That the scores are taken, and would not be if a single one were another."""
    refuse_other_scores(model, "table")
    score = model.score.copy()
    score[-1, 0] -= 0.01
    with pytest.raises(DataError, match="expected relative frequencies of its counts"):
        refuse_other_scores(replace(model, score=score), "table")


def test_our_own_tables(tmp_path):
    pairs = [("a b", "u v", "0-0 1-1"), ("a b", "v", "0-0"), ("b", "v", "0-0")]
    assert_frequencies(Corpus(pairs, tmp_path).model())


@pytest.mark.skipif(not MOSES.is_dir(), reason="needs Moses's model")
def test_a_table_of_moses(tmp_path):
    assert_frequencies(load_model(ModelFiles(str(MOSES / "phrase-table.gz")), str(tmp_path)))
