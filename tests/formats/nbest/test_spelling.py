import numpy as np
import pytest
from hypothesis import given

from campanula.formats.errors import DataError
from campanula.formats.nbest.spelling import Spelling, bar_texts, scores, sentence_field, spell
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from tests.strategies import NUMBER


@given(NUMBER)
def test_numbers_read_as_the_same(value):
    assert float(spell(value)).hex() == value.hex()
    assert "+" not in spell(value)


def test_whole_numbers_are_short():
    assert [spell(value) for value in (3.0, -0.0, 1e16, 1.5e-7)] == ["3", "-0", "1e16", "1.5e-07"]


def test_texts_between_bars():
    texts = ["", "a b", "a|||b", "|||a", "x\u2028\xa0y"]
    assert list(bar_texts(Texts.of(texts), "dev", 0)) == texts


@pytest.mark.parametrize("text", ["a ||| b", "|||", "||| a", "a |||", "a\nb", " a", "a\t"])
def test_a_text_that_a_field_cannot_hold(text):
    with pytest.raises(DataError, match="dev: sentence 3: hypothesis 1: expected text without"):
        list(bar_texts(Texts.of(["a", text]), "dev", 3))


@pytest.mark.parametrize("name", ["", "a b", "a\tb", "a\nb"])
def test_a_name_with_a_blank(name):
    names = Names(["a"])
    spelling = Spelling("dev")
    assert spelling.check(names) == ["a"]
    names.id(name)
    with pytest.raises(DataError, match=r"dev: feature .*: expected a name without blanks"):
        spelling.check(names)


def test_features_and_scores():
    names = Names()
    rows = [{"a": 1.0, "b": -0.5}, {"a": 2.0}]
    kbest = KBest(0, Texts.of(["x", "y"]), Features.of(rows, names), names)
    assert list(Spelling("dev").joined(kbest)) == ["a=1 b=-0.5", "a=2"]
    assert scores(kbest) is None
    assert scores(KBest(0, kbest.text, kbest.features, names, np.array([0.5, 2.0]))) == ["0.5", "2"]


@pytest.mark.parametrize("name", ["spk1-utt1", None, "007"])
def test_a_list_goes_by_its_id(name):
    names = Names()
    kbest = KBest(3, Texts.of(["a"]), Features.of([{}], names), names, id=name)
    assert sentence_field(kbest, "dev") == (name or "3")


@pytest.mark.parametrize("name", ["a b", "a|b", "a\tb"])
def test_an_id_that_no_line_can_begin_with(name):
    names = Names()
    kbest = KBest(3, Texts.of(["a"]), Features.of([{}], names), names, id=name)
    with pytest.raises(DataError, match="dev: sentence 3: expected an id without blanks"):
        sentence_field(kbest, "dev")
