from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from tests.listing import hypothesis, plain_lists


def test_a_line_of_joshua(tmp_path: Path) -> None:
    line = "0 ||| the cat ||| lm_0=-17.400 tm_pt_0=-0.200 OOVPenalty=0.000 ||| -3.810"
    features = {"OOVPenalty": 0.0, "lm_0": -17.4, "tm_pt_0": -0.2}
    assert hypothesis(tmp_path, line, "joshua") == ("the cat", features, -3.81, {})


def test_a_sentence_that_failed(tmp_path: Path) -> None:
    assert hypothesis(tmp_path, "4 ||| le chat |||  ||| 0.000", "joshua") == (
        "le chat",
        {},
        0.0,
        {},
    )


def test_joshua_as_moses(tmp_path: Path) -> None:
    line = "0 ||| the cat ||| lm-0= -17.400 OOV_Penalty= 1 ||| -3.810"
    expected = {"OOV_Penalty": 1.0, "lm-0": -17.4}
    assert hypothesis(tmp_path, line, "joshua")[1] == expected


def test_a_decimal_comma_is_named(tmp_path: Path) -> None:
    line = "0 ||| the cat ||| lm_0=-1.5 tm=-17,400 ||| -3.810"
    with pytest.raises(DataError, match="line 1: feature 'tm': expected a number, found '-17,400'"):
        plain_lists(tmp_path, line, "joshua")
