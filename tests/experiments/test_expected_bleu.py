"""Tables of runs of maximum expected BLEU training, from what they leave."""

from __future__ import annotations

import json
from pathlib import Path

from experiments import expected_bleu

HOW = {"tau": "0", "eta": "1", "iteration": 2, "expected_bleu": 0.25, "features": 7}
HISTORY = [
    {"system": "baseline", "dev": [20.0, 22.0], "test": [30.0, 30.0]},
    {"system": "sgd", **HOW, "iteration": 1, "dev": [20.0, 20.0]},
    {"system": "sgd", **HOW, "dev": [21.0, 23.0], "test": [31.0, 31.5], "kept": True},
]
TRAINING = [
    {"tau": "0", "eta": eta, "iteration": t, "expected_bleu": t / 10 + float(eta) / 100}
    for eta in ("1", "2")
    for t in (1, 2)
]
SECONDS = [{"step": "lists", "seconds": {}}, {"step": "sgd, tau 0, eta 1", "seconds": {}}]
SECONDS[1]["seconds"] = {"optimise": 3.21}


def run(folder: Path) -> str:
    folder.mkdir()
    files = {"history.jsonl": HISTORY, "training.jsonl": TRAINING, "seconds.jsonl": SECONDS}
    for name, lines in files.items():
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(folder)


def test_a_line_has_what_the_kept_system_comes_to(tmp_path: Path) -> None:
    lines = list(expected_bleu.table([run(tmp_path / "sgd")]))
    assert lines[2:] == [
        "| baseline |  |  |  |  |  | 21.00 ± 1.41 |  | 30.00 ± 0.00 |  |",
        "| sgd | 7 | 0 | 1 | 2 | 0.2500 | 22.00 ± 1.41 |  | 31.25 ± 0.35 | 3.2 |",
    ]
    assert {line.count("|") for line in lines} == {len(expected_bleu.HEAD) + 1}


def test_curves_are_those_of_the_kept_tau_and_eta(tmp_path: Path) -> None:
    runs = [run(tmp_path / "a"), run(tmp_path / "b")]
    assert list(expected_bleu.curves(runs))[2:] == [
        "| 1 | 0.1100 | 0.1100 |",
        "| 2 | 0.2100 | 0.2100 |",
    ]
