from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.text.keyed import KeyedTexts, from_json_lines, is_json_lines, keyed
from campanula.formats.text.references import References


@pytest.mark.parametrize(
    ("path", "expected"),
    [("a.jsonl", True), ("a.JSONL.gz", True), ("a.json", False), ("jsonl", False), ("-", False)],
)
def test_the_name_says_what_a_file_has(path: str, expected: bool) -> None:
    assert is_json_lines(path) == expected


def test_lines_of_ids() -> None:
    assert keyed(["u1 hello  world", "u2\tgood day ", "u3"], "f") == KeyedTexts(
        ["hello  world", "good day", ""], ["u1", "u2", "u3"]
    )


def test_json_lines_have_texts_of_several_lines() -> None:
    lines = ['{"id": "q1", "text": "a\\nb"}', '{"sid": 1, "id": 7, "text": "", "score": 2}']
    assert from_json_lines(lines, "f") == KeyedTexts(["a\nb", ""], ["q1", "7"])
    assert from_json_lines(['{"text": "a"}', '{"text": "b"}'], "f") == KeyedTexts(["a", "b"])


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["a"], "f: line 1: expected a JSON object, found 'a'"),
        (["[]"], r"f: line 1: expected a JSON object, found '\[\]'"),
        (['{"id": "a", "text": 1}'], "f: line 1: expected a JSON object with a string 'text'"),
        (['{"id": 0.5, "text": "a"}'], "f: line 1: expected a number or text under 'id'"),
        (['{"text": "\\ud800"}'], "f: line 1: expected text"),
        (['{"id": "\\ud800", "text": "a"}'], "f: line 1: expected text"),
        (['{"text": "a", "text": "b"}'], "f: line 1: key 'text' stands here for the second time"),
        (
            ['{"id": 1, "text": "a"}', '{"id": "1", "text": "a"}'],
            "f: line 2: expected each id once",
        ),
        (['{"id": 1, "text": "a"}', '{"text": "a"}'], "f: line 2: expected an id in each object"),
        (['{"text": "a"}', '{"id": 1, "text": "a"}'], "f: line 2: expected an id in each object"),
    ],
)
def test_json_lines_that_are_none(lines: list[str], problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        from_json_lines(lines, "f")


def test_references_of_json_lines(tmp_path: Path) -> None:
    one, other, plain = (str(tmp_path / name) for name in ("a.jsonl", "b.jsonl", "c"))
    (tmp_path / "a.jsonl").write_text('{"id": "q1", "text": "x\\ny"}\n{"id": "q2", "text": "z"}\n')
    (tmp_path / "b.jsonl").write_text('{"id": "q2", "text": "v"}\n{"id": "q1", "text": "w"}\n')
    (tmp_path / "c").write_text("a\nb\n")
    both = References.read([one, other])
    assert list(both.of_sentence(0, "q2")) == ["z", "v"]
    assert list(both.of_sentence(5, "q1")) == ["x\ny", "w"]
    assert References.read([one]).digest() != References.read([other]).digest()
    with pytest.raises(DataError, match=r"c: expected ids of sentences, as in .*, found none"):
        References.read([one, plain])
    with pytest.raises(DataError, match=r"l: expected no ids of sentences, as in .*, found some"):
        References.read([plain, one])
