from __future__ import annotations

import pytest

from campanula.formats.errors import LineError
from campanula.formats.nbest.rows import Row
from campanula.formats.nbest.same_numbers import SameNumbers


def row(
    score: float | None = None, gain: float | None = None, stats: list[int] | None = None
) -> Row:
    return Row(0, "a", {}, score, {}, stats, gain)


@pytest.mark.parametrize(
    ("first", "second", "problem"),
    [
        (row(score=1.0), row(), "expected a score, as before, found none"),
        (row(), row(score=1.0), "expected no score, as before, found one"),
        (row(gain=1.0), row(), "expected a gain, as before, found none"),
        (row(stats=[1, 2]), row(stats=[1]), "expected 2 statistics, as before, found 1"),
        (row(stats=[1, 2]), row(), "expected 2 statistics, as before, found no"),
        (row(), row(stats=[1]), "expected no statistics, as before, found 1"),
    ],
)
def test_hypotheses_have_the_same_numbers(first: Row, second: Row, problem: str) -> None:
    columns = SameNumbers()
    assert columns.checked(first) is first
    assert columns.checked(first) is first
    with pytest.raises(LineError, match=problem):
        columns.checked(second)
