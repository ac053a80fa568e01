from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.weights import Weights
from tests.weight_file import text_of, weights_of


def test_numbers_and_lists(tmp_path: Path) -> None:
    text = '{"LM0": 1, "TM0": [0.2, -1e-3], "a b": 0.5}'
    assert weights_of(tmp_path, text) == {"LM0": 1.0, "TM0_0": 0.2, "TM0_1": -0.001, "a b": 0.5}


@pytest.mark.parametrize("weights", [{"é": 0.1}, {"a": 1e-300, 'b"': -2.0}])
def test_round_trip(tmp_path: Path, weights: dict[str, float]) -> None:
    assert weights_of(tmp_path, text_of(Weights(weights), "json")) == weights


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "expected a JSON object"),
        ("[1]", "expected a JSON object, found"),
        ('{"a": NaN}', "feature 'a': expected a finite number, found 'nan'"),
        ('{"a": "1"}', "feature 'a': expected a number, found '1'"),
        ('{"a": true}', "feature 'a': expected a number, found True"),
        ('{"a": {"b": 1}}', "feature 'a'"),
        ('{"a": {}}', "feature 'a': expected a number, found {}"),
        ('{"a": []}', "feature 'a': expected a number, found none"),
        ('{"a": 1, "a": [2]}', "key 'a' stands here for the second time"),
        ('{"a": 1, "a": 2}', "key 'a' stands here for the second time"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        weights_of(tmp_path, text, "json")
