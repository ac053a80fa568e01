"""ESPnet's data.json as asr_recog.py writes it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from tests.listing import lists_of, plain_lists
from tests.present import present


def output(rank: int, text: str, score: float | None, **others: float) -> dict[str, object]:
    return {
        "name": f"target1[{rank}]",
        "rec_text": text,
        "rec_token": "\u2581h el lo",
        "rec_tokenid": "12 7 9",
        "score": score,
        "shape": [7, 5002],
        "text": "HELLO WORLD",
        "token": "\u2581HELLO \u2581WORLD",
        "tokenid": "5 6",
        **others,
    }


def document(**utterances: list[dict[str, object]]) -> str:
    utts = {
        name: {"input": [{"name": "input1", "feat": "a.ark:13"}], "output": outputs, "utt2spk": "s"}
        for name, outputs in utterances.items()
    }
    return json.dumps({"utts": utts}, indent=4, ensure_ascii=False)


def test_utterances_have_their_outputs(tmp_path: Path) -> None:
    text = document(
        spk1_u2=[output(1, "hello word<eos>", -12.9), output(2, "hello<eos>", -13.4)],
        spk1_u1=[output(1, "", -0.5)],
    )
    first, second = lists_of(tmp_path, text, "espnet")
    assert [(kbest.sid, kbest.id, list(kbest.text)) for kbest in (first, second)] == [
        (0, "spk1_u2", ["hello word", "hello"]),
        (1, "spk1_u1", [""]),
    ]
    assert present(first.score).tolist() == [-12.9, -13.4]
    assert first.features.rows(first.names).__next__() == {"F0": -12.9}


def test_pieces_become_words(tmp_path: Path) -> None:
    text = document(u=[output(1, "\u2581hello\u2581wor\u2581ld<eos>", 1)])
    assert plain_lists(tmp_path, text, "espnet")[0]["text"] == ["hello wor ld"]


def test_further_numbers_are_features(tmp_path: Path) -> None:
    text = document(u=[output(1, "a", -3, ctc_score=-1.5, lm_score=-2)])
    (found,) = plain_lists(tmp_path, text, "espnet")
    assert found["features"] == [{"ctc_score": -1.5, "lm_score": -2.0}]
    assert found["score"] == [-3.0]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (document(u=[]), "'u' (line 3): expected hypotheses, found none"),
        (
            document(u=[output(1, "a", 1), {"name": "target1[2]", "text": "x"}]),
            "'u' (line 3): hypothesis 1: expected a string under 'rec_text', found null",
        ),
        (
            document(u=[output(1, "a", float("nan"))]),
            "hypothesis 0: 'score': expected a finite number, found nan",
        ),
        (document(u=[output(1, "a", None)]), "'score': expected a number, found None"),
        ('{"utts": {"u": {}}}', "expected an array under 'output', found null"),
        ('{"utts": {"u": 1, "v": 2}}', "'u' (line 1): expected an object of JSON, found 1"),
        ('{"utts": {}}', "expected hypotheses, found none"),
        (document(u=[output(1, "a", 1)])[:-30], "expected"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DataError) as error:
        plain_lists(tmp_path, text, "espnet")
    assert problem in str(error.value)


def test_an_utterance_without_an_id(tmp_path: Path) -> None:
    text = document(**{"": [output(1, "a", -1)]})
    with pytest.raises(DataError, match="expected the number or the id of a sentence, found ''"):
        plain_lists(tmp_path, text, "espnet")


def test_one_utterance_twice(tmp_path: Path) -> None:
    text = '{"utts": {"u": {"output": [{"rec_text": "a"}]}, "u": {"output": [{"rec_text": "b"}]}}}'
    with pytest.raises(DataError, match="expected another id than before, found 'u' again"):
        plain_lists(tmp_path, text, "espnet")
