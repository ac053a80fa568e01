"""Outputs by ids: in the order of the references, whatever their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.text.references import References
from campanula.stages.comparing.output_files import (
    in_order_of_references,
    read_outputs,
    references_beside,
)

LINES = {
    "ref": "u1 a b\nu2 c\n",
    "keyed": "u2 z\nu1 y\n",
    "less": "u1 y\n",
    "other": "u1 y\nu3 z\n",
    "out.jsonl": '{"sid": 0, "id": "u2", "text": "x\\nw"}\n{"sid": 1, "id": "u1", "text": "v"}\n',
    "bare.jsonl": '{"text": "x\\nw"}\n{"text": "v"}\n',
    "plain": "1\n2\n",
}


@pytest.fixture
def paths(tmp_path: Path) -> dict[str, str]:
    for name, text in LINES.items():
        (tmp_path / name).write_text(text)
    return {name: str(tmp_path / name) for name in LINES}


def outputs(paths: dict[str, str], name: str, by_ids: bool, ref: str = "ref") -> list[str]:
    references = References.read([paths[ref]])
    references = references_beside(references, [paths[name]], by_ids)
    return in_order_of_references(read_outputs(paths[name], by_ids), references, paths[name])


def test_outputs_come_in_the_order_of_the_references(paths: dict[str, str]) -> None:
    assert outputs(paths, "keyed", True) == ["y", "z"]
    assert outputs(paths, "out.jsonl", False) == ["v", "x\nw"]
    assert outputs(paths, "out.jsonl", True) == ["v", "x\nw"]
    assert outputs(paths, "plain", False) == ["1", "2"]
    assert outputs(paths, "keyed", False) == ["u2 z", "u1 y"]
    assert outputs(paths, "out.jsonl", False, ref="plain") == ["x\nw", "v"]
    assert outputs(paths, "bare.jsonl", False, ref="plain") == ["x\nw", "v"]
    assert outputs(paths, "out.jsonl", False, ref="out.jsonl") == ["x\nw", "v"]


@pytest.mark.parametrize(
    ("name", "by_ids", "problem"),
    [
        ("less", True, r"less: expected a line of 'u2', as .*ref has, found none"),
        ("other", True, r"other: line 2: expected an id of .*ref, found 'u3'"),
        ("bare.jsonl", True, r"bare.jsonl: expected ids of sentences, as .*ref has"),
        ("less", False, r"less: expected 2 lines, as .*ref has, found 1"),
    ],
)
def test_outputs_that_do_not_fit(
    paths: dict[str, str], name: str, by_ids: bool, problem: str
) -> None:
    with pytest.raises(DataError, match=problem):
        outputs(paths, name, by_ids)
