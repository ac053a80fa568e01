from __future__ import annotations

from pathlib import Path

from campanula.formats.weights import Weights
from tests.weight_file import text_of, weights_of


def test_our_own_and_kbmiras(tmp_path: Path) -> None:
    assert weights_of(tmp_path, "# c\nLM0 0.5\n#x 1\n") == {"LM0": 0.5, "#x": 1.0}
    text = "F0 0.12\nF1 -2\ntgt_the 0.3\n"
    assert weights_of(tmp_path, text, names="LM0 0\nTM0 0\n") == {
        "LM0": 0.12,
        "TM0": -2.0,
        "tgt_the": 0.3,
    }


def test_round_trip(tmp_path: Path) -> None:
    weights = {"LM0": 0.1, "a=b": 1e-300, "#x": 3.0}
    assert weights_of(tmp_path, text_of(Weights(weights), "plain")) == weights
