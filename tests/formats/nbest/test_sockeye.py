"""Sockeye's JSON output with n-best lists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from tests.listing import plain_lists


def line(
    number: int, texts: list[str], scores: list[list[float] | float | None], **others: str
) -> str:
    best = {"sentence_id": number, "translation": texts[0], "score": scores[0]}
    return json.dumps({**best, "translations": texts, "scores": scores, **others}) + "\n"


def test_numbers_and_arrays_of_one_number(tmp_path: Path) -> None:
    text = line(1, ["the cat", "a cat"], [[-0.7], [-0.9]]) + line(2, ["a", ""], [0.5, 1.5])
    first, second = plain_lists(tmp_path, text, "sockeye")
    assert (first["sid"], first["text"], first["score"]) == (0, ["the cat", "a cat"], [-0.7, -0.9])
    assert first["features"] == [{"F0": -0.7}, {"F0": -0.9}]
    assert (second["sid"], second["score"]) == (1, [0.5, 1.5])


def test_outputs_one_after_another_count_from_1_again(tmp_path: Path) -> None:
    text = "".join(line(number, [f"{number}"], [1]) for number in (1, 2, 1))
    found = plain_lists(tmp_path, text, "sockeye")
    assert [(kbest["sid"], kbest["text"]) for kbest in found] == [
        (0, ["1"]),
        (1, ["2"]),
        (2, ["1"]),
    ]


def test_a_single_hypothesis_stands_alone(tmp_path: Path) -> None:
    text = '{"score": -0.25, "sentence_id": "utt-7", "translation": "the cat"}\n'
    (found,) = plain_lists(tmp_path, text, "sockeye")
    assert (found["id"], found["text"], found["score"]) == ("utt-7", ["the cat"], [-0.25])


def test_factors_are_features_of_their_own(tmp_path: Path) -> None:
    text = line(1, ["a", "b"], [[-0.7, -1, -2], [-0.8, -3, -4]], factor1="x")
    (found,) = plain_lists(tmp_path, text, "sockeye")
    assert found["features"][1] == {"F0": -0.8, "Factor1": -3.0, "Factor2": -4.0}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            line(1, ["a", "b"], [[1]]),
            "line 1 (1): expected 2 scores, as there are translations, fou",
        ),
        (
            line(1, ["a"], [[1]]) + line(3, ["c"], [[1]]),
            "line 2 (3): 'sentence_id': expected 2, found 3",
        ),
        (
            line(1, ["a"], [[1, 2]]) + line(2, ["c"], [[1]]),
            "line 2 (2): feature 'Factor1': expected a number, as before, found none",
        ),
        (line(1, ["a", "b"], [[1], []]), "hypothesis 1: score: expected a number, found none"),
        (
            line(1, [""], [float("-inf")]),
            "hypothesis 0: score: expected a finite number, found -inf",
        ),
        ('{"sentence_id": 1}', "expected a string under 'translation' of hypothesis 0, found null"),
        (line(1, ["a", "b"], [1, None]), "expected a score, as before, found none"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DataError) as error:
        plain_lists(tmp_path, text, "sockeye")
    assert problem in str(error.value)
