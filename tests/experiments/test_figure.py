"""The learning curve as a picture."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

from experiments import figure

LINES = [
    {"iteration": 2, "train": 0.1, "dev": 10.0, "test": {"x": 9.0}},
    {"iteration": 3, "train": 0.25, "dev": 20.0, "test": {"x": 19.0}},
]


def test_curves_are_in_percent_by_iteration() -> None:
    assert figure.curves_of(LINES) == {"train": [(2, 10.0), (3, 25.0)], "x": [(2, 9.0), (3, 19.0)]}


def test_the_same_history_makes_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "".join(json.dumps(line) + "\n" for line in LINES)
    (tmp_path / "history.jsonl").write_text(text)
    made = []
    for name in ("a.svg", "b.svg"):
        out = tmp_path / name
        monkeypatch.setattr(sys, "argv", ["figure.py", str(tmp_path), str(out)])
        figure.main()
        made.append(out.read_bytes())
    assert made[0] == made[1]
    assert b"the paper" in made[0]
