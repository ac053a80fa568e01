"""Tables and learning curves of runs of the relevant set, from their histories."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments import relevant_set
from experiments import runs as folders
from experiments.comparison import SystemComparison
from experiments.page import PAPERS
from experiments.tables import read

FIRST = {
    "iteration": 2,
    "train": 0.1,
    "dev": 10.0,
    "test": {"test": 9.0},
    "seconds": {"decode": 60},
}
LAST = {
    "iteration": 3,
    "train": 0.25,
    "dev": 20.0,
    "test": {"test": 19.0},
    "seconds": {"decode": 30, "optimise": 6},
}


def test_the_papers_ends_of_a_figure_are_those_of_its_table() -> None:
    for name, curves in relevant_set.ENDS.items():
        paper = read(PAPERS / f"relevant-set-{name}.json")
        points = [
            tuple((int(row), paper.mean(row, column)) for row in paper.rows)
            for column in paper.columns
        ]
        assert points == [*curves.values()]


def run(folder: Path, *lines: dict[str, object]) -> str:
    folder.mkdir()
    (folder / "history.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(folder)


@pytest.fixture(autouse=True)
def without_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of `compare` and of run.json."""
    system = {"values": [21.8], "interval": [21.12, 22.48], "randomisation_p": None}

    def compare(outputs: dict[str, list[str]], refs: object, metrics: list[str]) -> object:
        return [
            SystemComparison(f"{metric}|v1", dict.fromkeys(outputs, system)) for metric in metrics
        ]

    monkeypatch.setattr(relevant_set, "compare", compare)
    monkeypatch.setattr(folders, "signature", lambda folder: f"of {Path(folder).name}")


def test_a_row_has_what_the_kept_weights_come_to(tmp_path: Path) -> None:
    runs = [run(tmp_path / "a", FIRST, {**LAST, "kept": 2}), run(tmp_path / "b", FIRST, LAST)]
    table = relevant_set.table("table5", runs, ["ref"])
    assert table.cells("a") == ["25.00", "10.00", "21.80", "21.1 to 22.5", "21.80", "2", "1.6"]
    assert table.cells("b")[1] == "20.00"
    assert table.signatures == {"a": "of a", "b": "of b", "BLEU": "bleu|v1", "METEOR": "meteor|v1"}


def test_a_run_that_is_tested_at_the_end_has_its_dev_from_there(tmp_path: Path) -> None:
    tuned = {"dev": 4.0, "test": {"x": 4.5}}
    made = run(tmp_path / "a", FIRST, {**LAST, "kept": 3, "tuned": tuned})
    assert relevant_set.table("table6", [made], ["ref"]).cells("a")[1] == "4.00"


def test_no_run_is_no_row() -> None:
    assert relevant_set.table("table5", [], ["ref"]).rows == {}


def test_curves_of_runs_of_another_length(tmp_path: Path) -> None:
    runs = [run(tmp_path / "a", FIRST, LAST), run(tmp_path / "b", FIRST)]
    one = relevant_set.figure("figure2", runs[:1])
    assert one.columns == ["train", "dev", "test"]
    assert one.cells("3") == ["25.00", "20.00", "19.00"]
    assert "the paper's train" in one.figure["ends"]
    both = relevant_set.figure("steps", runs)
    assert both.columns == [f"{r}: {c}" for r in "ab" for c in ("train", "dev", "test")]
    assert both.cells("3")[3:] == ["", "", ""]
