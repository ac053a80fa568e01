"""Sentences become k-best lists: by their ids, or by their order."""

from __future__ import annotations

import pytest

from campanula.formats.errors import DataError
from campanula.formats.nbest import FORMATS
from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.documents import DocumentFormat, SentenceRows, lists_of
from campanula.formats.nbest.rows import Row
from tests.plain import plain


def sentence(
    name: str | None,
    *texts: str,
    score: float | None = None,
    features: dict[str, float] | None = None,
    more: bool = False,
) -> SentenceRows:
    rows = [Row(0, text, dict(features or {}), score) for text in texts]
    return SentenceRows(name, rows, f"line {len(texts)}", more)


def lists(*sentences: SentenceRows) -> list[dict[str, object]]:
    return [plain(kbest) for kbest in lists_of(sentences, "f")]


def refused(*sentences: SentenceRows) -> str:
    with pytest.raises(DataError) as error:
        lists(*sentences)
    return str(error.value)


def test_sentences_without_ids_go_by_their_order() -> None:
    found = lists(sentence(None, "a", "b"), sentence(None, "c"))
    assert [(kbest["sid"], kbest["text"]) for kbest in found] == [(0, ["a", "b"]), (1, ["c"])]


def test_ids_are_kept_in_order_of_appearance() -> None:
    found = lists_of([sentence("u9", "a"), sentence("u1", "b")], "f")
    assert [(kbest.sid, kbest.id) for kbest in found] == [(0, "u9"), (1, "u1")]


def test_whole_numbers_are_numbers() -> None:
    found = lists_of([sentence("3", "a"), sentence("1", "b")], "f")
    assert [(kbest.sid, kbest.id) for kbest in found] == [(1, None), (3, None)]


def test_what_does_not_go_together() -> None:
    again = "f: line 1: expected another id than before, found 'u' again"
    assert refused(sentence("u", "a"), sentence("u", "b")) == again
    problem = refused(sentence("u", "a"), sentence(None, "b"))
    assert "expected an id, as before, found none" in problem
    problem = refused(sentence(None, "a"), sentence("u", "b"))
    assert "expected no id, as before, found 'u'" in problem
    assert "line 0: expected hypotheses, found none" in refused(sentence("u"))
    assert "expected hypotheses, found none" in refused()
    problem = refused(sentence("u", "a", score=1.0), sentence("v", "b"))
    assert problem == "f: line 1: expected a score, as before, found none"


def test_all_hypotheses_have_the_same_features() -> None:
    one, two = {"att_score": 1.0}, {"att_score": 1.0, "lm": 2.0}
    found = refused(sentence("u", "a", features=two), sentence("v", "b", features=one))
    assert found == "f: line 1: feature 'lm': expected a number, as before, found none"
    found = refused(sentence("u", "a", features=one), sentence("v", "b", features=two))
    assert found == "f: line 1: feature 'lm': expected none, as before, found a number"
    few = sentence("v", "b", features=one)._replace(sparse=True)
    assert len(lists(sentence("u", "a", features=two), few)) == 2


def test_an_id_of_another_file_is_refused_where_rows_are_joined() -> None:
    first = sentence("u", "a", more=True)._replace(file="f1")
    second = sentence("u", "b", more=True)._replace(file="f2")
    assert refused(first, second) == "f2: line 1: expected another id than before, found 'u' again"


def test_rows_of_one_id_are_joined_where_they_may_be() -> None:
    found = lists(
        sentence("u", "a", more=True), sentence("v", "b", more=True), sentence("u", "c", more=True)
    )
    assert [kbest["text"] for kbest in found] == [["a", "c"], ["b"]]


def test_the_only_number_is_a_feature() -> None:
    (found,) = lists(sentence(None, "a", score=-1.5))
    assert (found["score"], found["features"]) == ([-1.5], [{"F0": -1.5}])
    (found,) = lists(sentence(None, "a", score=-1.5, features={"AM": 2.0}))
    assert found["features"] == [{"AM": 2.0}]


def test_files_follow_each_other_and_are_named() -> None:
    blocks = [Block("one", 1, b'{"alternatives": [{"text": "a"}]}\n')]
    blocks.append(Block("two", 1, b'\n{"alternatives": 3}\n'))
    with pytest.raises(DataError, match="two: line 2: expected an array under 'alternatives'"):
        list(FORMATS["vosk"].read(blocks, "one"))


def test_such_formats_are_not_written() -> None:
    form = DocumentFormat("vosk")
    assert not form.writes
    with pytest.raises(DataError, match="cannot be written"):
        form.write([], "f")
