"""Formats of JSON are told from the keys of the first record, wherever the beginning ends."""

from __future__ import annotations

import json

import pytest

from campanula.formats.nbest.json_shape import first_record, is_line, json_format

CHAT = {"id": "c", "choices": [{"index": 0, "message": {"role": "a", "content": "x"}}]}
SAMPLES = {
    "espnet": {"utts": {"u": {"output": [{"rec_text": "a", "score": 1}], "input": ["x"]}}},
    "hypr": {"utt_id": "u", "ref": "a", "hyps": ["a", "b"], "score": [1, 2]},
    "hyporadise": {"input": ["a", "b"], "output": "a"},
    "vosk": {"alternatives": [{"confidence": 1.5, "text": "a"}]},
    "openai": CHAT,
    "sockeye": {"sentence_id": 1, "translation": "a", "score": -1, "translations": ["a", "b"]},
    "jsonl": {"id": 0, "text": "a", "input": ["x"], "alternatives": 3, "choices": []},
}


@pytest.mark.parametrize("form", SAMPLES)
def test_every_format_is_told_in_every_wrapping(form: str) -> None:
    one = SAMPLES[form]
    wrapped = "json" if form == "jsonl" else form
    assert json_format(json.dumps(one)) == form
    assert json_format(json.dumps(one) + "\n" + json.dumps(one) + "\n") == form
    assert json_format(json.dumps(one, indent=4)) == wrapped
    if form != "espnet":
        assert json_format(json.dumps([one, one])) == wrapped
        assert json_format(" \n" + json.dumps([one], indent=1)) == wrapped


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ({"sid": 0, "hyps": [{"text": "a", "score": 1}]}, "jsonl"),
        ({"id": "u", "nbest": [{"text": "a"}], "input": "source"}, "jsonl"),
        ({"id": "b", "custom_id": "q", "response": None, "error": {"code": 1}}, "openai"),
        ({"custom_id": "q", "response": {"body": CHAT}}, "openai"),
        ({"request_id": "0", "prompt": "x", "outputs": [{"text": "a"}]}, "openai"),
        ({"partial": ""}, "vosk"),
        ({"what": "is", "this": 1}, "jsonl"),
    ],
)
def test_others_like_them(value: dict[str, object], form: str) -> None:
    assert json_format(json.dumps(value)) == form


@pytest.mark.parametrize("text", ["", "  ", "0 ||| a", "the {cat}", '"a"'])
def test_what_is_no_json(text: str) -> None:
    assert json_format(text) is None


def test_a_beginning_that_is_cut_is_enough() -> None:
    text = json.dumps({**CHAT, "usage": {"a": "b" * 100}})
    for end in range(text.index("choices") + 11, len(text)):
        assert json_format(text[:end]) == "openai"


def test_keys_of_the_first_record_alone() -> None:
    kinds = first_record('[{"a": {"b": [1, "{"]}, "c:": "d"}, {"e": 1}]')
    assert kinds == {(): "{", ("a",): "{", ("a", "b"): "[", ("a", "b", "[]"): "1", ("c:",): '"'}


@pytest.mark.parametrize(
    ("text", "line"), [('{"a": 1}\n{}', True), ("{\n}", False), ("[{}]", False), ('{"a": "b', True)]
)
def test_an_object_is_a_line_or_not(text: str, line: bool) -> None:
    assert is_line(text) == line
