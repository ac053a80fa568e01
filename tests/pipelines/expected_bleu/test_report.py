"""History, times and copies of a run."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from campanula.pipelines.expected_bleu import report
from campanula.pipelines.expected_bleu.model import LearnedTables
from campanula.pipelines.expected_bleu.report import Line, Times
from campanula.pipelines.expected_bleu.steps import TrainingPoint

HOW = {"tau": "0", "eta": "10", "iteration": 3, "objective": 1.0, "expected_bleu": 0.25}


def test_lines_of_the_history(tmp_path: Path) -> None:
    lines = [Line("baseline", {"dev": (20.0, 21.0)}), Line("sgd", {"dev": (22.0, 23.0)}, HOW)]
    lines[1].keep()
    report.write(os.fspath(tmp_path / "h"), lines)
    first, second = map(json.loads, (tmp_path / "h").read_text().splitlines())
    assert first == {"system": "baseline", "dev": [20.0, 21.0]}
    assert second == {"system": "sgd", **HOW, "dev": [22.0, 23.0], "kept": True}
    assert str(lines[0]) == "baseline: dev 20.50"
    expected = "sgd, tau 0, eta 10, iteration 3: expected BLEU 0.2500, dev 22.50"
    assert str(lines[1]) == expected


def test_times_of_an_earlier_run_stay_where_there_was_nothing_to_do(tmp_path: Path) -> None:
    path = os.fspath(tmp_path / "seconds")
    first = Times.at(path)
    first.note("lists", {"decode": 3.0, "orchestration": 1.0})
    second = Times.at(path)
    second.note("lists", {"decode": 0.0, "orchestration": 0.1})
    second.note("theta", {"decode": 0.0, "optimise": 2.0, "orchestration": 0.1})
    lines = report.read_curve(path)
    assert [line["step"] for line in lines] == ["lists", "theta"]
    assert [line["seconds"].get("decode") for line in lines] == [3.0, 0.0]


def test_times_that_cannot_be_read_begin_anew(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "seconds"
    for text in ('{"step": "lists"}\n', '{"step": "li', "[" * 100_000, "[]\n", "7\n"):
        path.write_text(text)
        assert Times.at(os.fspath(path)).earlier == {}
        assert capsys.readouterr().err == f"tune: {path}: damaged, and made again\n"


def test_curves_by_point(tmp_path: Path) -> None:
    (tmp_path / "curve").write_text('{"iteration": 1}\n')
    path = os.fspath(tmp_path / "training")
    report.write_curves(path, "sgd", [(TrainingPoint("0", "1"), os.fspath(tmp_path / "curve"))])
    assert report.read_curve(path) == [{"solver": "sgd", "tau": "0", "eta": "1", "iteration": 1}]


def test_tables_are_copied(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text(name)
    (tmp_path / "model").mkdir()
    phrases, orientations = (os.fspath(tmp_path / name) for name in ("a", "b"))
    tables = LearnedTables(phrases, orientations, "hierarchical")
    copied = report.copied_tables(tables, os.fspath(tmp_path / "model"))
    assert Path(copied.phrase_table).read_text() == "a"
    assert Path(str(copied.orientations)).read_text() == "b"
    assert copied.orientation == "hierarchical"
