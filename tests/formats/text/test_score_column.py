"""Scores of another program: both forms, and every way in which they can fail to fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.text.score_column import ScoreColumn, read_scores


def scores(folder: Path, text: str) -> ScoreColumn:
    path = folder / "scores"
    path.write_text(text, newline="")
    return read_scores(str(path))


def test_a_number_a_line(tmp_path: Path) -> None:
    column = scores(tmp_path, "\ufeff-0.5\r\n1E-5\n +3 \n.5")
    assert column.scores_of(0, 1).tolist() == [-0.5]
    assert column.scores_of(7, 3).tolist() == [1e-5, 3.0, 0.5]
    column.finish()


def test_numbers_with_their_places(tmp_path: Path) -> None:
    text = "7\t1\t-2\n0\t0\t1.5\n7\t0\t1e+10\n"
    column = scores(tmp_path, text)
    assert column.scores_of(0, 1).tolist() == [1.5]
    assert column.scores_of(7, 2).tolist() == [1e10, -2.0]
    column.finish()
    again = scores(tmp_path, "".join(sorted(text.splitlines(keepends=True))))
    assert again.digest() == column.digest()
    assert scores(tmp_path, "7\t1\t-3\n").digest() != scores(tmp_path, "7\t1\t-2\n").digest()


def test_nothing(tmp_path: Path) -> None:
    column = scores(tmp_path, "")
    column.finish()
    with pytest.raises(DataError, match="sentence 0: expected a score for every hypothesis"):
        column.scores_of(0, 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1\nnan\n", r"line 2: expected a finite number, found 'nan'"),
        ("1\n-inf\n", r"line 2: expected a finite number, found '-inf'"),
        ("0,5\n", r"line 1: expected a finite number, found '0,5'"),
        ("1\n\n2\n", r"line 2: expected a finite number, found ''"),
        ("1_0\n", r"line 1: expected a finite number, found '1_0'"),
        ("1\n0\t0\t1\n", r"line 2: expected a finite number, found '0\\t0\\t1'"),
        ("0\t0\tinf\n", r"line 1: expected a finite number, found 'inf'"),
        ("0\t0\t1\n3\n", r"line 2: expected sentence id, place and number, a tab .* found '3'"),
        ("0\t-1\t1\n", r"line 1: expected sentence id, place and number"),
        ("0\t0\t1\n0\t0\t2\n", r"sentence 0: hypothesis 0: expected one score, found several"),
    ],
)
def test_faults_in_the_file(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        scores(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1\n2\n", r"sentence 4: expected a score for every hypothesis, found 2 lines"),
        ("1\n2\n3\n4\n", r"scores: expected 3 lines, one a hypothesis, found 4"),
        ("1\t0\t1\n1\t1\t1\n", r"sentence 4: hypothesis 0: expected a score, found none"),
        ("1\t0\t1\n1\t2\t1\n4\t0\t1\n", r"sentence 1: hypothesis 2: expected a place below 2"),
        ("1\t1\t1\n4\t0\t1\n", r"sentence 1: hypothesis 0: expected a score, found none"),
        ("0\t0\t1\n1\t0\t1\n", r"sentence 0: hypothesis 0: expected a list of this sentence"),
        ("1\t0\t1\n1\t1\t1\n3\t0\t1\n4\t0\t1\n", r"sentence 3: hypothesis 0: expected a list"),
        ("1\t0\t1\n1\t1\t1\n4\t0\t1\n5\t1\t1\n", r"sentence 5: hypothesis 1: expected a list"),
    ],
)
def test_faults_against_the_lists(tmp_path: Path, text: str, said: str) -> None:
    column = scores(tmp_path, text)

    def ask() -> None:
        column.scores_of(1, 2)
        column.scores_of(4, 1)
        column.finish()

    with pytest.raises(DataError, match=said):
        ask()


def test_scores_by_ids(tmp_path: Path) -> None:
    path = tmp_path / "column"
    path.write_text("u2\t1\t0.5\nu1\t0\t-1\nu2\t0\t2\n12\t0\t7\n")
    scores = read_scores(str(path))
    assert scores.scores_of(0, 2, "u2").tolist() == [2.0, 0.5]
    assert scores.scores_of(1, 1, "u1").tolist() == [-1.0]
    with pytest.raises(DataError, match="sentence 12: expected its list, found none"):
        scores.finish()
    with pytest.raises(DataError, match="sentence u3: expected scores, found none"):
        scores.scores_of(2, 1, "u3")
    with pytest.raises(DataError, match="sentence u1: hypothesis 1: expected a score, found none"):
        scores.scores_of(1, 2, "u1")
    with pytest.raises(DataError, match="sentence u2: hypothesis 1: expected a place below 1"):
        scores.scores_of(1, 1, "u2")
    assert scores.scores_of(3, 1, "12").tolist() == [7.0]
    scores.finish()
    path.write_text("u2\t1\t0.5\nu2\t1\t2\n")
    with pytest.raises(DataError, match="sentence u2: hypothesis 1: expected one score"):
        read_scores(str(path))
