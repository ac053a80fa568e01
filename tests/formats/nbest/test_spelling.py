from __future__ import annotations

import pytest

from campanula.formats.errors import DataError
from campanula.formats.nbest.pages import lines, page_of
from campanula.formats.nbest.spelling import NameSpelling, bar_texts, sentence_field
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts


def test_texts_between_bars() -> None:
    texts = ["", "a b", "a|||b", "|||a", "x\u2028\xa0y"]
    assert list(bar_texts(Texts.of(texts), "dev", 0)) == texts


@pytest.mark.parametrize("text", ["a ||| b", "|||", "||| a", "a |||", "a\nb", " a", "a\t"])
def test_a_text_that_a_field_cannot_hold(text: str) -> None:
    with pytest.raises(DataError, match="dev: sentence 3: hypothesis 1: expected text without"):
        list(bar_texts(Texts.of(["a", text]), "dev", 3))


@pytest.mark.parametrize("name", ["", "a b", "a\tb", "a\nb"])
def test_a_name_with_a_blank(name: str) -> None:
    names = Names(["a"])
    spelling = NameSpelling("dev", "=")
    assert spelling.add(names) == ["a"]
    assert spelling.add(names) == []
    names.id(name)
    with pytest.raises(DataError, match=r"dev: feature .*: expected a name without blanks"):
        spelling.add(names)


def test_labels_grow_with_the_names() -> None:
    names = Names(["a", "bé"])
    spelling = NameSpelling("dev", "= ")
    spelling.add(names)
    before = spelling.labels
    names.id("c")
    spelling.add(names)
    for labels, text in ((before, "a= bé= "), (spelling.labels, "a= bé= c= ")):
        assert labels.byte.tobytes().decode() == text
        assert labels.pointer.tolist() == [0, 3, 8, 11][: len(labels.pointer)]


def test_features() -> None:
    names = Names()
    rows = [{"a": 1.0, "b": -0.5}, {"a": 2.0}]
    kbest = KBest(0, Texts.of(["x", "y"]), Features.of(rows, names), names)
    page = page_of(2, [*NameSpelling("dev", "=").parts(kbest), b"\n"])
    assert list(lines(page)) == ["a=1 b=-0.5", "a=2"]


@pytest.mark.parametrize("name", ["spk1-utt1", None, "007"])
def test_a_list_goes_by_its_id(name: str | None) -> None:
    names = Names()
    kbest = KBest(3, Texts.of(["a"]), Features.of([{}], names), names, id=name)
    assert sentence_field(kbest, "dev") == (name or "3").encode()


@pytest.mark.parametrize("name", ["a b", "a|b", "a\tb"])
def test_an_id_that_no_line_can_begin_with(name: str) -> None:
    names = Names()
    kbest = KBest(3, Texts.of(["a"]), Features.of([{}], names), names, id=name)
    with pytest.raises(DataError, match="dev: sentence 3: expected an id without blanks"):
        sentence_field(kbest, "dev")
