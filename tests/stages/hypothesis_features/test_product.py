"""Two numbers multiplied."""

import pytest

from campanula.formats.errors import ListError
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader
from campanula.stages import add_feature, import_nbest
from campanula.stages.hypothesis_features.product import products, values
from tests.listing import lists_of

LINES = "0 ||| a b ||| LM= -3 N= 2 ||| 5\n0 |||  ||| LM= -1 N= 0 ||| 6\n"


def test_products(tmp_path):
    (kbest,) = lists_of(tmp_path, LINES)
    assert products(kbest, "LM", "N").tolist() == [-6.0, 0.0]
    assert products(kbest, "LM", "LM").tolist() == [9.0, 1.0]
    assert values("LM", "N").signature == "product:LM:N"


def test_a_product_beyond_all_numbers(tmp_path):
    (kbest,) = lists_of(tmp_path, LINES.replace("-3", "1e200"))
    with pytest.raises(ListError, match="hypothesis 0: expected a finite product, found inf"):
        products(kbest, "LM", "LM")


def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list").write_text(LINES)
    assert import_nbest.main(["list", "-q", "-o", "k"]) == 0
    assert add_feature.main(["product", "LM", "N", "k", "-q", "-o", "out"]) == 0
    with Reader("out", KBest) as lists:
        (kbest,) = lists
    assert next(kbest.features.rows(kbest.names))["LM*N"] == -6.0
    assert add_feature.main(["product", "LM", "TM", "k", "-q", "-o", "out"]) == 1
    assert "k: sentence 0: expected a feature 'TM', found LM, N" in capsys.readouterr().err
