"""Tables of runs, from their histories."""

from __future__ import annotations

import json
from pathlib import Path

from experiments import curves

FIRST = {"iteration": 2, "train": 0.1, "dev": 10.0, "test": {"x": 9.0}, "seconds": {"decode": 60}}
LAST = {
    "iteration": 3,
    "train": 0.25,
    "dev": 20.0,
    "test": {"x": 19.0},
    "also": {"meteor": {"dev": 50.0, "x": 49.0}},
    "new": 7,
    "seconds": {"decode": 30, "optimise": 6},
}


def run(folder: Path, *lines: dict[str, object]) -> str:
    folder.mkdir()
    (folder / "history.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(folder)


def test_a_line_has_what_the_kept_weights_come_to(tmp_path: Path) -> None:
    made = run(tmp_path / "a", FIRST, {**LAST, "kept": 3})
    assert list(curves.table([made]))[2] == (
        "| a | 2 | 25.00 | 20.00 | 19.00 | 50.00, 49.00 | 7 | 1.5 | 0.1 |"
    )
    kept_first = run(tmp_path / "b", FIRST, {**LAST, "kept": 2})
    assert (
        list(curves.table([kept_first]))[2] == "| b | 2 | 10.00 | 10.00 | 9.00 |  | 7 | 1.5 | 0.1 |"
    )


def test_curves_of_runs_of_another_length(tmp_path: Path) -> None:
    runs = [run(tmp_path / "a", FIRST, LAST), run(tmp_path / "b", FIRST)]
    lines = list(curves.curves(runs))
    assert lines[0] == "| l | a: train | dev | x | b: train | dev | x |"
    assert lines[2:] == [
        "| 2 | 10.00 | 10.00 | 9.00 | 10.00 | 10.00 | 9.00 |",
        "| 3 | 25.00 | 20.00 | 19.00 |  |  |  |",
    ]
