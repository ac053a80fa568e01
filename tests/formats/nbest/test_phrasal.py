from __future__ import annotations

from pathlib import Path

from tests.listing import hypothesis


def test_a_line_of_phrasal(tmp_path: Path) -> None:
    line = "0 ||| the : cat x:y ||| LM: -1.7E1 WordPenalty: -2E0 TM:1: 3 ||| -3.8E0 ||| 0-0 1-1"
    features = {"LM": -17.0, "TM:1": 3.0, "WordPenalty": -2.0}
    expected = ("the : cat x:y", features, -3.8, {"alignment": "0-0 1-1"})
    assert hypothesis(tmp_path, line, "phrasal") == expected
