"""One number over another."""

import pytest

from campanula.formats.errors import ListError
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader
from campanula.stages import add_feature, import_nbest
from campanula.stages.hypothesis_features.ratio import ratios, values
from tests.listing import lists_of

LINES = "0 ||| a b ||| LP= -3 N= 2 ||| 5\n0 |||  ||| LP= -1 N= 0 ||| 6\n"


def test_ratios(tmp_path):
    (kbest,) = lists_of(tmp_path, LINES.replace("N= 0", "N= 4"))
    assert ratios(kbest, "LP", "N", None).tolist() == [-1.5, -0.25]
    assert ratios(kbest, "score", "N", None).tolist() == [2.5, 1.5]


def test_a_zero_is_an_error_or_what_is_said(tmp_path):
    (kbest,) = lists_of(tmp_path, LINES)
    assert ratios(kbest, "LP", "N", -9.0).tolist() == [-1.5, -9.0]
    with pytest.raises(ListError, match="hypothesis 1: expected 'N' other than 0, found 0; "):
        ratios(kbest, "LP", "N", None)
    (kbest,) = lists_of(tmp_path, LINES.replace("-3", "1e300").replace("N= 2", "N= 1e-300"))
    with pytest.raises(ListError, match="hypothesis 0: expected a finite ratio, found that of 1e"):
        ratios(kbest, "LP", "N", 0.0)


def test_the_signature_says_what_and_how():
    assert values("A", "B").signature == "ratio:A:B"
    assert values("A", "B", 0.5).signature == "ratio:A:B:0.5"


def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list").write_text(LINES)
    assert import_nbest.main(["list", "-q", "-o", "k"]) == 0
    words = ["ratio", "LP", "N", "k", "-q", "-o", "out"]
    assert add_feature.main(words) == 1
    assert "add-feature: k: sentence 0: hypothesis 1: expected 'N' other" in capsys.readouterr().err
    assert add_feature.main([*words, "--where-zero", "0"]) == 0
    with Reader("out", KBest) as lists:
        (kbest,) = lists
    assert next(kbest.features.rows(kbest.names))["LP/N"] == -1.5
    assert add_feature.main([*words, "--where-zero", "-1", "--name", "Mean"]) == 0
    with Reader("out", KBest) as lists:
        (kbest,) = lists
    assert list(kbest.features.rows(kbest.names))[1]["Mean"] == -1.0
