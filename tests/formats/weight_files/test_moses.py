from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.weight_files import moses
from campanula.formats.weights import Weights
from tests.examples import MOSES
from tests.weight_file import text_of, weights_of

INI = """### a moses.ini
[feature]
KenLM name=LM0 factor=0 path=lm.arpa
[weight]
LM0= 0.5
TranslationModel0= 0.2 -1e-3 .1 +1
UnknownWordPenalty0= 1
Fixed UNTUNEABLE
Half0= 0.25 UNTUNEABLECOMPONENT
[distortion-limit]
6
"""
EXPECTED = {
    "LM0": 0.5,
    "TranslationModel0_0": 0.2,
    "TranslationModel0_1": -0.001,
    "TranslationModel0_2": 0.1,
    "TranslationModel0_3": 1.0,
    "UnknownWordPenalty0": 1.0,
    "Half0": 0.25,
}


def test_the_section_of_a_moses_ini(tmp_path: Path) -> None:
    assert weights_of(tmp_path, INI) == EXPECTED
    assert weights_of(tmp_path, INI.replace("\n", "\r\n")) == EXPECTED
    assert weights_of(tmp_path, INI.replace("LM0= ", "LM0=")) == EXPECTED
    assert weights_of(tmp_path, INI.replace("0= ", "0 = ")) == EXPECTED


def test_sparse_weights_stand_in_a_file_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "sparse").write_text("# comment\ntgt_the 0.03\npp_a=b -1\n")
    found = weights_of(tmp_path, INI + "[weight-file]\nsparse\n")
    assert found == {**EXPECTED, "tgt_the": 0.03, "pp_a=b": -1.0}
    (tmp_path / "sparse").write_text("tgt_the x\n")
    with pytest.raises(DataError, match="sparse: line 1: feature 'tgt_the': expected a number"):
        weights_of(tmp_path, INI + "[weight-file]\nsparse\n")


@pytest.mark.parametrize(
    "text",
    [
        "LM0= 0.5\nTM0= 0.2 0.1\n",
        "LM0= 0.5\nTM0= 0.2\nTM0= 0.1\n",
        "LM0= 0.5 TM0= 0.2 0.1 TM1= x\n",
    ],
)
def test_lines_without_a_section(tmp_path: Path, text: str) -> None:
    assert weights_of(tmp_path, text) == {"LM0": 0.5, "TM0_0": 0.2, "TM0_1": 0.1}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[weight]\nLM0= 1\nLM0= 2\n", "line 3: label 'LM0' stands here for the second time"),
        ("[weight]\nLM0= nan\n", "line 2: feature 'LM0': expected a finite number, found 'nan'"),
        ("[weight]\nLM0 0.5\n", "line 2: expected `label= value`, found 'LM0 0.5'"),
        ("[weight]\nLM0=\n", "line 2: expected a value of 'LM0', found none"),
        ("[weight]\nTM0= 1 2\nTM0_1= 3\n", "feature 'TM0_1' stands here for the second time"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        weights_of(tmp_path, text)


def test_a_comment_may_stand_behind_a_weight(tmp_path: Path) -> None:
    text = INI.replace("LM0= 0.5", "LM0= 0.5 # as before").replace("[weight]", "[weight] # here")
    assert weights_of(tmp_path, text) == EXPECTED


@pytest.mark.parametrize("section", ["weight-d", "weight-l", "weight-t", "weight-w", "weight-lr"])
def test_the_sections_of_old_configurations_are_refused(tmp_path: Path, section: str) -> None:
    for text in (f"[{section}]\n0.5\n", f"[weight]\nLM0= 1\n[{section}]\n0.5\n"):
        with pytest.raises(
            DataError, match=rf"expected the weights in \[weight\], found \[{section}"
        ):
            weights_of(tmp_path, text)


def test_round_trip(tmp_path: Path) -> None:
    weights = Weights({"LM0": 0.1, "TM0_0": 1e-300, "TM0_1": -0.5, "WordPenalty0": -1.0})
    text = text_of(weights, "moses")
    assert text == "[weight]\nLM0= 0.1\nTM0= 1e-300 -0.5\nWordPenalty0= -1.0\n"
    assert weights_of(tmp_path, text) == dict(weights)


def test_sparse_weights_are_not_for_the_section() -> None:
    weights = Weights({"LM0": 0.1, "pp_a": 1.0}, "w1")
    with pytest.raises(DataError, match="w1: feature 'pp_a': expected dense weights"):
        text_of(weights, "moses")
    lines, sparse = moses.write_apart(weights, "sparse")
    assert lines == ["[weight]", "LM0= 0.1", "[weight-file]", "sparse"]
    assert dict(sparse) == {"pp_a": 1.0}


@pytest.mark.skipif(not MOSES.is_dir(), reason="needs the shared data")
def test_the_weights_of_a_run_of_moses(tmp_path: Path) -> None:
    found = weights_of(tmp_path, (MOSES / "run2.weights.ini").read_bytes())
    assert len(found) == 15
    assert found["LexicalReordering0_5"] == 0.0906769933273372
