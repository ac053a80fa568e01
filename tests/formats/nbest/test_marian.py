from __future__ import annotations

from pathlib import Path

import pytest

from tests.listing import hypothesis


@pytest.mark.parametrize(
    ("line", "features", "fields"),
    [
        ("F0= -1.38 F1= -2.01", {"F0": -1.38, "F1": -2.01}, {}),
        ("F0=-1.38 F1=-2.01", {"F0": -1.38, "F1": -2.01}, {}),
        ("WordScores= -0.5 -0.2 F0= -1.38", {"F0": -1.38}, {"WordScores": "-0.5 -0.2"}),
        (
            "0-0 1-1 ||| WordScores= -0.5 -0.2 ||| F0= -1.38",
            {"F0": -1.38},
            {"alignment": "0-0 1-1", "WordScores": "-0.5 -0.2"},
        ),
    ],
)
def test_lines_of_marian(
    tmp_path: Path, line: str, features: dict[str, float], fields: dict[str, str]
) -> None:
    found = hypothesis(tmp_path, f"0 ||| the cat ||| {line} ||| -0.69", "marian")
    assert found == ("the cat", features, -0.69, fields)


def test_an_empty_hypothesis(tmp_path: Path) -> None:
    line = "0 |||  ||| F0= -1.18 ||| -1.18"
    assert hypothesis(tmp_path, line, "marian") == ("", {"F0": -1.18}, -1.18, {})


def test_a_feature_added_to_the_list(tmp_path: Path) -> None:
    line = "0 ||| a ||| F0= -1.38 LM= -7.5 ||| -0.69"
    assert hypothesis(tmp_path, line, "marian")[1] == {"F0": -1.38, "LM": -7.5}
