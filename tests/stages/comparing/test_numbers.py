"""Numbers of another program: means of any range, the better way up, refused by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.stages.comparing.comparison import compare_scored
from campanula.stages.comparing.numbers import metric_of_numbers, read_columns, scored_numbers
from campanula.stages.comparing.significance import Sampling


def column(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("lower", [False, True])
def test_the_value_is_the_mean_and_the_sign_of_better_is_right(tmp_path: Path, lower: bool) -> None:
    paths = [column(tmp_path / "a", "1.5\n-2\n10\n"), column(tmp_path / "b", "2.5\n-2\n11\n")]
    columns = read_columns(paths, 3, "ref")
    scored = scored_numbers(metric_of_numbers("mqm", lower), columns)
    found = compare_scored(scored, {"a": 1, "b": 1}, Sampling(50, 60))
    assert [result.mean for result in found.results] == pytest.approx([9.5 / 3, 11.5 / 3])
    (difference,) = found.differences
    assert difference.value == pytest.approx(2 / 3)
    assert found.improves(difference) is not lower
    assert difference.chance.randomisation == 0.5
    sign = -1 if lower else 1
    assert found.results[0].gain == pytest.approx([1.5 * sign, -2 * sign, 10 * sign])
    assert all(r.interval[0] <= r.mean <= r.interval[1] for r in found.results)
    assert found.signature == "mqm|bs:50|ar:60|seed:12345"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1\nnan\n3\n", "line 2: "),
        ("1\n\n3\n", "line 2: "),
        ("1\n2 3\n3\n", "line 2: "),
        ("1\n2\n1e7\n", "line 3: expected a number within"),
        ("1\n2\n", "expected 3 lines, as ref has, found 2"),
        ("", "expected 3 lines, as ref has, found 0"),
    ],
)
def test_what_is_no_column_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        read_columns([column(tmp_path / "a", text)], 3, "ref")


def test_columns_are_as_long_as_the_first(tmp_path: Path) -> None:
    one, two = column(tmp_path / "a", "1\n2\n"), column(tmp_path / "b", "1\n")
    with pytest.raises(DataError, match=r"b: expected 2 lines, as .*a has, found 1"):
        read_columns([one, two], None, "")
    with pytest.raises(DataError, match="expected at least one line"):
        read_columns([column(tmp_path / "c", "")], None, "")
