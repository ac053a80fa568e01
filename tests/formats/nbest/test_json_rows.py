from __future__ import annotations

import pytest

from campanula.formats.errors import LineError
from campanula.formats.nbest.json_rows import row_of


def test_keys_that_mean_nothing_are_fields() -> None:
    hyp = {"text": "a", "fields": {"x": "y"}, "comet": 0.83, "ok": None}
    row = row_of(3, hyp, {"source": "ein"})
    assert row.fields == {"x": "y", "comet": "0.83", "ok": "null", "source": "ein"}
    assert (row.sid, row.text, row.features) == (3, "a", {})


@pytest.mark.parametrize(
    ("hyp", "others", "problem"),
    [
        ({"fields": {"x": "y"}, "x": 1}, {}, "field 'x' stands here for the second time"),
        ({"x": 1}, {"x": 2}, "field 'x' stands here for the second time"),
        ({"gain": 37.2}, {}, "gain: expected a number of at most 1, found 37.2"),
        ({"stats": [-5, 3, 1]}, {}, "stats: expected numbers from 0 to"),
        ({"stats": [10**30]}, {}, "stats: expected numbers from 0 to"),
        ({"stats": []}, {}, "expected a list of whole numbers under 'stats'"),
        ({"score": 10**400}, {}, "score: expected a finite number, found 1000"),
        ({"features": {"LM": 10**400}}, {}, "feature 'LM': expected a finite number"),
        ({"features": {"LM": []}}, {}, "feature 'LM': expected a number, found none"),
        ({"features": {"LM": None}}, {}, "feature 'LM': expected a number, found None"),
    ],
)
def test_what_a_hypothesis_cannot_have_is_refused(
    hyp: dict[str, object], others: dict[str, object], problem: str
) -> None:
    with pytest.raises(LineError) as error:
        row_of(0, {"text": "a", **hyp}, others)
    assert problem in str(error.value)


def test_gains_below_0_and_the_statistics_of_their_mean_are_right() -> None:
    row = row_of(0, {"text": "a", "gain": -2.5, "stats": [-2_500_000_000, 1]}, {})
    assert (row.gain, row.stats) == (-2.5, [-2_500_000_000, 1])
