from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.weights import Weights
from tests.weight_file import text_of, weights_of


def test_config(tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text("tm_pt_0 0.2\n")
    text = "top-n = 300\nmark-oovs=false\nlm_0 1.0\nweights-file = w.txt\n"
    assert weights_of(tmp_path, text) == {"lm_0": 1.0, "tm_pt_0": 0.2}


def test_params(tmp_path: Path) -> None:
    text = "lm_0 ||| 1.0 Opt 0.1 +Inf +0.5 +1.5\nOOV ||| -10 Fix 0 0 0 0\n"
    text += "normalization = absval 1 lm_0\n"
    assert weights_of(tmp_path, text) == {"lm_0": 1.0, "OOV": -10.0}


def test_round_trip(tmp_path: Path) -> None:
    weights = Weights({"lm_0": 0.1, "OOVPenalty": -1e-300})
    assert weights_of(tmp_path, text_of(weights, "joshua"), "joshua") == dict(weights)


def test_a_line_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(
        DataError, match="line 1: expected `name value` or a setting, found 'a b c'"
    ):
        weights_of(tmp_path, "a b c\n", "joshua")
    with pytest.raises(DataError, match="line 1: feature 'a': expected a number, found 'b'"):
        weights_of(tmp_path, "a b\n", "joshua")


CONFIG = """tm = moses -owner pt -maxspan 0 -path rules.gz
feature-function = LanguageModel -lm_order 5 -lm_file lm.gz
output_format = %i ||| %s ||| %f ||| %c
output-format=%s %f
oov-list=NN 0.5
top-n = 300

OOVPenalty -100
lm_0 0.21
"""


def test_a_line_with_an_equals_sign_is_a_setting_of_a_configuration(tmp_path: Path) -> None:
    for form in ("auto", "joshua"):
        assert weights_of(tmp_path, CONFIG, form) == {"OOVPenalty": -100.0, "lm_0": 0.21}


def test_the_name_of_a_setting_has_any_hyphens_and_case(tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text("// a comment\n# another\ntm_pt_0 0.2\na=b 1\n")
    for key in ("weights-file", "weights_file", "WeightsFile"):
        found = weights_of(tmp_path, f"{key}=w.txt\nlm_0 1.0\n")
        assert found == {"lm_0": 1.0, "tm_pt_0": 0.2, "a=b": 1.0}


def test_names_of_a_weights_file_may_have_an_equals_sign(tmp_path: Path) -> None:
    assert weights_of(tmp_path, "lm_0 1\na=b 0.5\n", "joshua") == {"lm_0": 1.0, "a=b": 0.5}
