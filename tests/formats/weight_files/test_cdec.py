from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.weights import Weights
from tests.weight_file import text_of, weights_of


def test_blank_tab_or_mark(tmp_path: Path) -> None:
    text = "# comment\nGlue 0.1\nLM=0.5\nA\t-1\nLex=a 0.5\nLex=b=2\n"
    expected = {"Glue": 0.1, "LM": 0.5, "A": -1.0, "Lex=a": 0.5, "Lex=b": 2.0}
    assert weights_of(tmp_path, text, "cdec") == expected


def test_round_trip(tmp_path: Path) -> None:
    weights = Weights({"Glue": 0.1, "Lex=a": 1e-300})
    text = text_of(weights, "cdec")
    assert text == "Glue 0.1\nLex=a\t1e-300\n"
    assert weights_of(tmp_path, text, "cdec") == dict(weights)


def test_a_line_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="line 1: expected `name value` or `name=value`, found"):
        weights_of(tmp_path, "Glue\n", "cdec")
