"""Histories are read back as they were written."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from campanula.pipelines import history
from campanula.pipelines.history import Iteration, Values
from tests.plain import json_lines

FIRST = Iteration(0, 31.25, {"2016": 0.1 + 0.2}, 12.5, 100, 50000, {"decode": 1.5})
LAST = replace(FIRST, iteration=1, objective=None, tuned=Values(33.0, {"2016": 30.0}))
LAST = replace(LAST, kept=0, stopped="nothing new")


def test_round_trip(tmp_path: Path) -> None:
    path = os.fspath(tmp_path / "history.jsonl")
    history.write(path, [FIRST, LAST])
    assert history.read(path) == [FIRST, LAST]
    lines = json_lines(Path(path))
    assert ["tuned" in line for line in lines] == [False, True]
    assert (lines[1]["kept"], lines[1]["objective"]) == (0, None)
    assert lines[1]["tuned"] == {"dev": 33.0, "test": {"2016": 30.0}}


def test_what_some_loops_have_besides(tmp_path: Path) -> None:
    path = os.fspath(tmp_path / "history.jsonl")
    also = {"meteor": {"dev": 0.5, "2016": 0.4}}
    more = replace(LAST, train=0.25, new=7, also=also, tuned=Values(33.0, {}, also))
    history.write(path, [FIRST, more])
    assert history.read(path) == [FIRST, more]
    first, last = json_lines(Path(path))
    assert not {"train", "new", "also"} & set(first)
    assert (last["train"], last["new"], last["also"], last["tuned"]["also"]) == (
        0.25,
        7,
        also,
        also,
    )


def test_values_as_text() -> None:
    assert str(LAST.tuned) == "dev 33.00, 2016 30.00"
    assert str(FIRST.values) == "dev 31.25, 2016 0.30"
    assert str(Values(0.0)) == "dev 0.00"
    assert str(Values(0.25, {"2016": 0.125})) == "dev 0.2500, 2016 0.1250"
