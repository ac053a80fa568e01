from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from tests.listing import plain_lists
from tests.plain import plain
from tests.round_trip import round_trip
from tests.strategies import kbest_lists


@given(kbest_lists())
def test_round_trip_of_everything(
    tmp_path_factory: pytest.TempPathFactory, lists: list[KBest]
) -> None:
    found = round_trip(tmp_path_factory.mktemp("list"), lists, "jsonl")
    assert found == [plain(kbest) for kbest in lists]


def test_an_object_a_hypothesis(tmp_path: Path) -> None:
    hyps = [
        {"id": 1, "text": "a", "features": {"LM0": -17.4, "TM0": [-0.2, 1]}, "score": 2},
        {"id": "0", "text": "b", "score": 0},
        {"sid": 1, "text": "c", "features": {"LM0": 1, "TM0": [0, 0]}, "score": -1},
    ]
    zero, one = plain_lists(tmp_path, "".join(json.dumps(h) + "\n" for h in hyps), "jsonl")
    assert (zero["text"], zero["features"]) == (["b"], [{}])
    assert (one["text"], one["score"]) == (["a", "c"], [2.0, -1.0])
    assert one["features"][0] == {"LM0": -17.4, "TM0_0": -0.2, "TM0_1": 1.0}


@pytest.mark.parametrize("key", ["hyps", "hypotheses", "nbest"])
def test_an_object_a_list(tmp_path: Path, key: str) -> None:
    line = json.dumps({"id": 4, key: [{"text": "a", "features": [1, 2]}, {"text": "b"}]})
    (four,) = plain_lists(tmp_path, line, "jsonl")
    assert (four["sid"], four["text"]) == (4, ["a", "b"])
    assert four["features"] == [{"F0": 1.0, "F1": 2.0}, {}]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("[1]", "expected a JSON object, found '[1]'"),
        ("{", "expected a JSON object, found '{'"),
        ("[" * 100_000, "expected a JSON object"),
        ('{"text": "a"}', "expected the number or the id of a sentence under 'id', found None"),
        (
            '{"id": true, "text": "a"}',
            "expected the number or the id of a sentence under 'id', found True",
        ),
        ('{"id": -1, "text": "a"}', "expected the number or the id of a sentence"),
        ('{"id": 0.5, "text": "a"}', "expected the number or the id of a sentence"),
        ('{"id": 0}', "expected a string under 'text', found None"),
        ('{"id": 0, "text": "\\ud800"}', "expected text, found"),
        ('{"id": 0, "text": "a", "score": NaN}', "score: expected a finite number, found nan"),
        ('{"id": 0, "text": "a", "features": {"LM0": "1"}}', "feature 'LM0': expected a number"),
        ('{"id": 0, "text": "a", "features": {"LM0": Infinity}}', "feature 'LM0': expected a fini"),
        ('{"id": 0, "text": "a", "features": {"LM0": 1e999}}', "feature 'LM0': expected a finite"),
        ('{"id": 0, "text": "a", "features": {"T_0": 1, "T": [1, 2]}}', "feature 'T_0' stands her"),
        ('{"id": 0, "text": "a", "features": 1}', "expected an object of numbers under 'features'"),
        ('{"id": 0, "text": "a", "fields": {"x": 1}}', "expected an object of strings"),
        ('{"id": 0, "text": "a", "stats": [0.5]}', "expected a list of whole numbers"),
        ('{"id": "", "text": "a"}', "expected the number or the id of a sentence, found ''"),
        ('{"id": "a\\nb", "text": "a"}', "expected the number or the id of a sentence"),
        ('{"id": "a", "sid": "b", "text": "a"}', "expected the number of a sentence under 'sid'"),
        ('{"id": 0, "hyps": [], "nbest": []}', "expected 'hyps' or 'nbest', found both"),
        ('{"id": 0, "text": "a", "text": "b"}', "key 'text' stands here for the second time"),
        ('{"id": 0, "text": "a", "features": {"L": 1, "L": 2}}', "key 'L' stands here for the se"),
        ('{"id": 0, "text": "a", "score": 1e400}', "score: expected a finite number"),
        ('{"id": 0, "hyps": {}}', "'hyps': expected a list of objects"),
        ('{"id": "u", "hyps": []}', "sentence 'u': expected hypotheses, found none"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, line: str, problem: str) -> None:
    with pytest.raises(DataError) as error:
        plain_lists(tmp_path, line, "jsonl")
    assert "line 1: " in str(error.value)
    assert problem in str(error.value)


def test_keys_of_an_object_or_of_its_list_become_fields(tmp_path: Path) -> None:
    hyps = [{"text": "a", "comet": 0.83}, {"text": "b", "comet": 1}]
    (zero,) = plain_lists(tmp_path, json.dumps({"id": 0, "source": "x", "hyps": hyps}), "jsonl")
    assert zero["fields"] == {"comet": ["0.83", "1"], "source": ["x", "x"]}


def test_a_line_without_a_score_among_others_is_named(tmp_path: Path) -> None:
    lines = '{"id": 0, "text": "a", "score": 1}\n{"id": 1, "text": "b"}\n'
    with pytest.raises(DataError, match="line 2: expected a score, as before, found none"):
        plain_lists(tmp_path, lines, "jsonl")
