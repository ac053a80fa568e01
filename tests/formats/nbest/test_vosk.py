"""Results of Vosk with alternatives, as its programs print them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from tests.listing import plain_lists

WORDS = [{"end": 2.13, "start": 1.74, "word": "hello"}, {"end": 2.6, "start": 2.2, "word": "word"}]
RESULT = """{
  "alternatives" : [{
      "confidence" : 297.045959,
      "result" : [{
          "end" : 2.130000,
          "start" : 1.740000,
          "word" : "hello"
        }],
      "text" : " hello"
    }, {
      "confidence" : 296.5,
      "text" : "hallo"
    }]
}
"""
EMPTY = '{"alternatives" : [{"confidence" : 1.0, "text" : ""}]}\n'


def test_results_one_after_another(tmp_path: Path) -> None:
    partial = '{\n  "partial" : "hel"\n}\n'
    first, second = plain_lists(tmp_path, partial + RESULT + partial + EMPTY, "vosk")
    assert (first["text"], first["score"]) == (["hello", "hallo"], [297.045959, 296.5])
    assert first["features"] == [{"F0": 297.045959}, {"F0": 296.5}]
    assert second["text"] == [""]
    assert plain_lists(tmp_path, json.dumps([json.loads(RESULT)]), "vosk") == [first]


def test_ids_that_a_program_added(tmp_path: Path) -> None:
    line = json.dumps({"utt_id": "u1", "alternatives": [{"text": "a", "result": WORDS}]})
    (found,) = plain_lists(tmp_path, line, "vosk")
    assert (found["id"], found["score"]) == ("u1", None)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"text": "hello"}', "line 1: expected 'alternatives', as SetMaxAlternatives gives them"),
        ('{"alternatives": []}', "line 1: expected hypotheses, found none"),
        (
            '{"alternatives": [{"confidence": 1}]}',
            "expected a string under 'text' of alternative 0",
        ),
        (
            '{"alternatives": [{"confidence": NaN, "text": ""}]}',
            "alternative 0: 'confidence': expec",
        ),
        (
            '{"alternatives": [{"confidence": 1, "text": ""}, {"text": "a"}]}',
            "expected a score, as",
        ),
        ('{"partial": "a"}', "expected hypotheses, found none"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DataError) as error:
        plain_lists(tmp_path, text, "vosk")
    assert problem in str(error.value)
