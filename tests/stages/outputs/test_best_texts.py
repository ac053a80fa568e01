"""Texts of lists in every format, and what a format cannot hold."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts
from campanula.formats.text.keyed import KeyedTexts, from_json_lines, keyed
from campanula.stages.outputs import best_texts
from tests.examples import random_lists


def lists_of(*texts: str, ids: tuple[str | None, ...] = ()) -> list[KBest]:
    lists, _ = random_lists(5, n_lists=len(texts))
    names = ids or (None,) * len(texts)
    cut = [kbest.take(np.array([0])) for kbest in lists]
    return [
        replace(kbest, text=Texts.of([text]), id=name)
        for kbest, text, name in zip(cut, texts, names, strict=True)
    ]


def test_text_lines_stand_at_their_sentence() -> None:
    lists = random_lists(5, n_lists=4)[0]
    lines = best_texts.text_lines
    assert list(lines(lists, "dev", False)) == ["hypothesis 0"] * 4
    gaps = [lists[1], lists[3]]
    assert list(lines(gaps, "dev", True)) == ["", "hypothesis 0", "", "hypothesis 0"]
    with pytest.raises(DataError, match="dev: sentence 0: expected its k-best list"):
        list(lines(gaps, "dev", False))
    with pytest.raises(DataError, match="dev: sentence 0: expected one line of text"):
        list(lines([replace(lists[0], text=Texts.of(["a\nb"]))], "dev", False))


def test_lines_with_ids_are_read_back() -> None:
    lists = lists_of("hello  world", "", ids=("spk1-utt1", None))
    lines = list(best_texts.keyed_lines(lists, "dev", False))
    assert lines == ["spk1-utt1 hello  world", "1"]
    assert keyed(lines, "dev") == KeyedTexts(["hello  world", ""], ["spk1-utt1", "1"])
    gap = best_texts.keyed_lines(lists[1:], "dev", False)
    assert list(gap) == ["1"]


@pytest.mark.parametrize("name", ["a b", "a\tb", "a\u2028"])
def test_an_id_with_a_blank_cannot_stand_before_a_text(name: str) -> None:
    with pytest.raises(DataError, match="dev: sentence 0: expected an id without blanks"):
        list(best_texts.keyed_lines(lists_of("a", ids=(name,)), "dev", False))


def test_json_lines_hold_all_and_are_read_back() -> None:
    lists = lists_of("a\nb \u2028", "", ids=("q 1", None))
    lines = list(best_texts.json_lines(lists, "dev", False))
    assert json.loads(lines[0]) == {"sid": 0, "id": "q 1", "text": "a\nb \u2028"}
    bare = [line for line in lines if "\n" in line]
    assert not bare
    scored = replace(lists[1], score=np.array([-0.5]))
    assert json.loads(next(best_texts.json_lines([scored], "dev", False)))["score"] == -0.5
    expected = ["q 1", "1"]
    assert from_json_lines(lines, "dev") == KeyedTexts(["a\nb \u2028", ""], expected)


def test_lines_are_written_when_all_are_there(tmp_path, capsys) -> None:
    def failing():
        yield "one"
        raise DataError("lists", None, "damaged")

    path = str(tmp_path / "out")
    for output in (None, path):
        with pytest.raises(DataError, match="damaged"):
            best_texts.write(output, failing())
    assert capsys.readouterr().out == ""
    assert not list(tmp_path.iterdir())
    assert best_texts.write(None, ["one", "zw\u00f6lf"]) == best_texts.write(path, "ab") == 2
    assert capsys.readouterr().out == "one\nzw\u00f6lf\n"
    assert (tmp_path / "out").read_text() == "a\nb\n"
