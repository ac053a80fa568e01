"""Sentences of JSON records, and their ids."""

from __future__ import annotations

import pytest

from campanula.formats.errors import DataError, LineError
from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.json_records import id_of, sentences_of
from campanula.formats.nbest.rows import Row
from campanula.formats.nbest.sentence_ids import SentenceId


def named(text: str, **options: str) -> list[SentenceId | None]:
    blocks = [Block("f", 1, text.encode())]
    read = lambda value: [Row(0, str(value.get("text", "")), {})]  # noqa: E731
    return [sentence.id for sentence in sentences_of(blocks, "f", read, **options)]


def test_ids_are_texts_or_whole_numbers() -> None:
    assert id_of({"utt_id": "a", "id": 3}) == "a"
    assert id_of({"id": 3}) == "3"
    assert id_of({"name": 3}) is None
    for odd in ("", None, 1.5, True, ["a"]):
        with pytest.raises(LineError, match="'id': expected an id, a text or a whole number"):
            id_of({"id": odd})


def test_numbers_that_a_program_counted_are_no_ids() -> None:
    text = '{"id": 7}\n{"id": 9}\n'
    assert named(text) == ["7", "9"]
    assert named(text, counted="id") == [None, None]
    assert named('{"id": "x7"}\n', counted="id") == ["x7"]


def test_half_a_character_is_no_text() -> None:
    with pytest.raises(DataError, match="f: line 1: expected text, found"):
        named('{"text": "\\ud800"}\n')


def test_what_is_no_object_is_named_by_place() -> None:
    with pytest.raises(DataError, match=r"f: record 1 \(line 1\): expected an object.*found 3"):
        named("[{}, 3]\n")
