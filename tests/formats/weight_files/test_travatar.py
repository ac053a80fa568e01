from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.weights import Weights
from tests.weight_file import text_of, weights_of


@pytest.mark.parametrize(
    "text",
    [
        "lm=0.2 a=b=-0.1\n",
        "lm=0.2\na=b=-0.1\n",
        "[tm_file]\nmodel\n\n[weight_vals]\nlm=0.2\na=b=-0.1\n\n[lm_file]\nx\n",
    ],
)
def test_pairs_and_the_section(tmp_path: Path, text: str) -> None:
    assert weights_of(tmp_path, text) == {"lm": 0.2, "a=b": -0.1}


def test_round_trip(tmp_path: Path) -> None:
    weights = Weights({"lm": 0.1, "a=b": -1e-300})
    assert weights_of(tmp_path, text_of(weights, "travatar")) == dict(weights)


@pytest.mark.parametrize(
    ("text", "problem"),
    [("lm=1 lm=2\n", "feature 'lm' stands here for the second time"), ("lm=1 x\n", "found 'x'")],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        weights_of(tmp_path, text, "travatar")
