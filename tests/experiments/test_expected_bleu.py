"""Tables of runs of maximum expected BLEU training, from what they leave."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from experiments import expected_bleu, runs
from experiments.comparison import SystemComparison

HOW = {"tau": "0", "eta": "1", "iteration": 2, "expected_bleu": 0.25, "features": 7000}
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
SECONDS: list[dict[str, Any]] = [
    {"step": "lists", "seconds": {}},
    {"step": "sgd, tau 0, eta 1", "seconds": {"optimise": 3.21}},
]


@pytest.fixture(autouse=True)
def without_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of `compare` and of run.json."""

    def compare(outputs: dict[str, list[str]], refs: object) -> object:
        assert all(len(files) == 2 for files in outputs.values())
        p = {name: None if name == "baseline" else 0.00123 for name in outputs}
        return [SystemComparison("v1", {name: {"randomisation_p": p[name]} for name in outputs})]

    monkeypatch.setattr(expected_bleu, "compare", compare)
    monkeypatch.setattr(runs, "signature", lambda folder: "signed")


def run(folder: Path) -> str:
    folder.mkdir()
    files: dict[str, list[Any]] = {
        "history.jsonl": HISTORY,
        "training.jsonl": TRAINING,
        "seconds.jsonl": SECONDS,
    }
    for name, lines in files.items():
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    for replicate in ("1", "2"):
        (folder / f"test.{replicate}.out").touch()
        (folder / "baseline" / f"replicate-{replicate}").mkdir(parents=True)
        (folder / "baseline" / f"replicate-{replicate}" / "test.out").touch()
    return str(folder)


def test_a_line_has_what_the_kept_system_comes_to(tmp_path: Path) -> None:
    table = expected_bleu.table2([run(tmp_path / "sgd")], ["ref"])
    nothing = [""] * 5
    assert table.cells("baseline") == [*nothing, "21.00 (1.41)", "", "30.00 (0.00)", "", ""]
    chosen = ["7,000", "0", "1", "2", "0.2500"]
    corpus = ["22.00 (1.41)", "", "31.25 (0.35)"]
    assert table.cells("sgd") == [*chosen, *corpus, "0.0012", "3.2"]


def test_curves_are_those_of_the_kept_tau_and_eta(tmp_path: Path) -> None:
    table = expected_bleu.figure2([run(tmp_path / "a"), run(tmp_path / "b")])
    assert table.cells("1") == ["0.1100", "0.1100"]
    assert table.cells("2") == ["0.2100", "0.2100"]


def test_efficiency_is_beside_rprop(tmp_path: Path) -> None:
    rows = {"packing": [1.0, 2.0, 100.0], "rprop": [2.0, 3.0, 200.0], "sgd": [3.0, 3.0, 200.0]}
    found = {"iterations": 40, "jobs": 2, "rows": rows, "lists": "how they were made"}
    (tmp_path / "x").write_text(json.dumps(found))
    table = expected_bleu.efficiency([str(tmp_path / "x")])
    assert table.cells("sgd") == ["3.0", "1.50", "3.0", "200", "1.00"]
    assert table.signatures == {"lists": "how they were made"}
