"""experiments/: what its Makefile says of itself, and the table of runs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "experiments"


def test_the_targets_of_the_page_are_those_of_the_makefile() -> None:
    told = subprocess.run(["make", "-C", FOLDER], check=True, capture_output=True, text=True).stdout
    named = set(re.findall(r"^\| `(relevant-set-\w+)`", told, re.M))
    (phony,) = re.findall(r"^\.PHONY: ((?:.*\\\n)*.*)", (FOLDER / "Makefile").read_text(), re.M)
    assert named == set(re.findall(r"relevant-set-\w+", phony))


def test_a_run_that_is_tested_at_the_end_has_its_test_in_the_table(tmp_path: Path) -> None:
    line = {"dev": 1.0, "test": {}, "seconds": {"decode": 60.0}, "also": {"meteor": {"dev": 3.0}}}
    tuned = {"dev": 2.0, "test": {"x": 4.5}, "also": {"meteor": {"dev": 5.0, "x": 6.0}}}
    last = {**line, "iteration": 3, "dev": 2.0, "new": 7, "kept": 3, "tuned": tuned}
    lines = (json.dumps(each) for each in ({**line, "iteration": 2}, last))
    (tmp_path / "history.jsonl").write_text("".join(f"{each}\n" for each in lines))
    argv = [sys.executable, FOLDER / "curves.py", tmp_path]
    shown = subprocess.run(argv, check=True, capture_output=True, text=True).stdout.splitlines()
    assert shown[2].endswith("| 2 |  | 2.00 | 4.50 | 5.00, 6.00 | 7 | 2.0 | 0.0 |")
