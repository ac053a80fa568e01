"""Arrays of hypotheses with arrays of numbers: HypR and HyPoradise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from tests.listing import lists_of, plain_lists
from tests.present import present

HYPR = {
    "utt_id": "1272-128104-0000",
    "ref": "mister quilter is here",
    "hyps": ["mister quilter is here", "mister quiltter is here", ""],
    "att_score": [-1.76402, -10.33629, -4.36253],
    "ctc_score": [-5.13712, -0.45096, -7.37892],
    "score": [-3.45057, -5.39363, -5.87073],
}
ATIS = {
    "id": "i09067ss",
    "input": ["list all us airflights", "list all us air flights"],
    "output": "list all u s air flights",
    "am_score": [-0.3208218415578206, -0.3511669900682237],
}


def test_hypr(tmp_path: Path) -> None:
    rows = [HYPR, {**HYPR, "utt_id": "1272-128104-0001"}]
    for text in ("\n".join(map(json.dumps, rows)), json.dumps(rows, indent=1)):
        first, second = lists_of(tmp_path, text, "hypr")
        assert (first.id, second.id) == ("1272-128104-0000", "1272-128104-0001")
        assert list(first.text) == HYPR["hyps"]
        assert present(first.score).tolist() == HYPR["score"]
        columns = {"att_score": HYPR["att_score"], "ctc_score": HYPR["ctc_score"]}
        assert dict(zip(first.names, first.features.dense.tolist(), strict=True)) == columns
        assert not first.fields


def test_hyporadise_with_and_without_scores(tmp_path: Path) -> None:
    plain = {"input": ["hello word", "hello world"], "output": "hello world"}
    first, second = plain_lists(tmp_path, json.dumps([plain, plain]), "hyporadise")
    assert (first["sid"], second["sid"]) == (0, 1)
    assert (first["text"], first["score"]) == (plain["input"], None)
    (found,) = plain_lists(tmp_path, json.dumps([{**plain, "score": [-0.19, -0.2]}]), "hyporadise")
    assert found["features"] == [{"F0": -0.19}, {"F0": -0.2}]
    (found,) = plain_lists(tmp_path, json.dumps([ATIS]), "hyporadise")
    assert found["features"] == [{"am_score": value} for value in ATIS["am_score"]]
    assert found["score"] is None


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            {"att_score": [1, 2]},
            "'att_score': expected 3 numbers, as there are hypotheses, found 2",
        ),
        ({"ctc_score": [1, None, 2]}, "hypothesis 1: 'ctc_score': expected a number, found None"),
        (
            {"score": [1, 2, float("nan")]},
            "hypothesis 2: 'score': expected a finite number, found nan",
        ),
        ({"lm": [None] * 3}, "hypothesis 0: 'lm': expected a number, found None"),
        ({"score": -1}, "expected an array under 'score', found -1"),
        ({"hyps": "a"}, "expected an array under 'hyps', found 'a'"),
        ({"hyps": ["a", 3, "b"]}, "expected a string under 'hyps', found 3"),
        (
            {"hyps": [], "att_score": [], "ctc_score": [], "score": []},
            "expected hypotheses, found none",
        ),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, change: dict[str, object], problem: str) -> None:
    text = json.dumps([HYPR, {**HYPR, "utt_id": "u2", **change}])
    with pytest.raises(DataError) as error:
        plain_lists(tmp_path, text, "hypr")
    assert f"list: record 1 (line 1) (u2): {problem}" in str(error.value)
    assert problem in str(error.value)


def test_other_records_are_refused(tmp_path: Path) -> None:
    with pytest.raises(
        DataError, match="expected an array of texts under 'hyps' or 'input', found the keys a"
    ):
        plain_lists(tmp_path, '[{"a": 1}]', "hypr")
