"""Any JSON by paths of keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from campanula.formats.errors import DataError, LineError
from campanula.formats.nbest.key_paths import KeyPath
from tests.listing import plain_lists, with_settings

RESULT = {
    "meta": {"name": "u1"},
    "results": [
        {"alt": [{"say": {"it": "a b"}, "s": [-1, -2]}, {"say": {"it": "c"}, "s": [-3, -4]}]}
    ],
}
HYPS = {"u1": {"hyp_1": {"text": "a", "score": 1.5}, "hyp_2": {"text": "", "score": 2}}}


def test_paths() -> None:
    assert KeyPath.of("a.b[].c[2][].*").steps == ("a", "b", None, "c", 2, None, "*")
    assert KeyPath.of("[0].a b").steps == (0, "a b")
    values = [node.value for node in KeyPath.of("results[0].alt[].s[1]").nodes(RESULT)]
    assert values == [-2, -4]
    for wrong in ("", "a.", ".a", "a..b", "a[", "a[x]", "a]"):
        with pytest.raises(ValueError, match="expected keys such as"):
            KeyPath.of(wrong)


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("meta[]", "meta[]: expected an array, found"),
        ("results.alt", "results.alt: expected an object with 'alt', found ["),
        ("results[1]", "results[1]: expected element 1, found 1 of them"),
        ("meta.id", "meta.id: expected the key 'id', found the keys name"),
    ],
)
def test_paths_that_lead_nowhere(path: str, problem: str) -> None:
    with pytest.raises(LineError) as error:
        KeyPath.of(path).nodes(RESULT)
    assert problem in str(error.value)


def test_a_list_and_paths_from_its_hypotheses(tmp_path: Path) -> None:
    given = {"list": "results[0].alt[]", "text": "say.it", "score": "s[0]", "id": "meta.name"}
    text = json.dumps([RESULT], indent=1)
    (found,) = with_settings(tmp_path, text, "json", features={"LM": "s[1]"}, **given)
    assert (found["id"], found["text"]) == ("u1", ["a b", "c"])
    assert (found["score"], found["features"]) == ([-1.0, -3.0], [{"LM": -2.0}, {"LM": -4.0}])


def test_paths_with_as_many_values_each(tmp_path: Path) -> None:
    given = {"text": "results[].alt[].say.it", "score": "results[].alt[].s[0]"}
    (found,) = with_settings(tmp_path, json.dumps(RESULT), "json", **given)
    assert (found["sid"], found["text"], found["score"]) == (0, ["a b", "c"], [-1.0, -3.0])
    assert found["features"] == [{"F0": -1.0}, {"F0": -3.0}]


def test_members_of_an_object_are_lists(tmp_path: Path) -> None:
    given = {"records": "*", "list": "hyp_*", "text": "text", "score": "score"}
    text = json.dumps({**HYPS, "u0": {"ref": {"score": 1}, **HYPS["u1"]}})
    first, second = with_settings(tmp_path, text, "json", **given)
    assert (first["id"], second["id"]) == ("u1", "u0")
    assert first["text"] == ["a", ""]


def test_an_object_a_hypothesis(tmp_path: Path) -> None:
    rows = [{"id": "x", "hyp": "a", "lp": -1}, {"id": "y", "hyp": "b", "lp": -2}]
    rows.append({"id": "x", "hyp": "c", "lp": -3})
    text = "\n".join(map(json.dumps, rows))
    found = with_settings(tmp_path, text, "json", text="hyp", features={"LP": "lp"})
    assert [(kbest["id"], kbest["text"]) for kbest in found] == [("x", ["a", "c"]), ("y", ["b"])]


def test_objects_as_in_json_lines_without_paths(tmp_path: Path) -> None:
    rows = [{"id": "x", "text": "a", "features": {"LM": -1}}, {"id": "x", "text": "b\nc"}]
    rows.append({"id": "y", "hyps": [{"text": "d", "features": {"LM": 2}}]})
    found = plain_lists(tmp_path, json.dumps(rows, indent=2), "json")
    assert found == plain_lists(tmp_path, "\n".join(map(json.dumps, rows)), "jsonl")
    assert [kbest["text"] for kbest in found] == [["a", "b\nc"], ["d"]]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"text": "x"}, "list: line 1: x: expected the key 'x', found the keys meta, results"),
        ({"text": "meta"}, "line 1: expected a string under meta, found {"),
        (
            {"list": "results[].alt[]", "text": "s[]"},
            "hypothesis 0: s[]: expected 1 values, found 2",
        ),
        (
            {"text": "results[].alt[].say.it", "features": {"A": "results[].alt[].s[]"}},
            "results[].alt[].s[]: expected 2 values, found 4",
        ),
        (
            {"list": "results[].alt[]", "text": "say.it", "score": "say.it"},
            "line 1: hypothesis 0: say.it: expected a number, found 'a b'",
        ),
        ({"records": "results[]", "text": "s"}, "line 1: list 0: s: expected the key 's'"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, given: dict[str, Any], problem: str) -> None:
    with pytest.raises(DataError) as error:
        with_settings(tmp_path, json.dumps(RESULT), "json", **given)
    assert problem in str(error.value)
