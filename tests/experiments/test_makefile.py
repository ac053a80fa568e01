"""Every target that the page of experiments names has its commands."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from campanula.pipelines import tune

ROOT = Path(__file__).parents[2]
TARGETS = re.findall(
    r"^\| `([a-z0-9-]+)` \|.*\| (\d+) \|$", (ROOT / "experiments/README.md").read_text(), re.M
)


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.parametrize(("target", "runs"), TARGETS)
def test_a_target_runs_tune(target: str, runs: str, tmp_path: Path) -> None:
    argv = ["make", "-n", "-C", str(ROOT / "experiments"), target]
    settings = [f"DATA={tmp_path}", f"WORK={tmp_path / 'work'}", f"BIN={tmp_path}"]
    done = subprocess.run([*argv, *settings], capture_output=True, text=True, check=True)
    joined = done.stdout.replace("\\\n", " ")
    found = [line.split() for line in joined.split("\n") if line.startswith("tune ")]
    assert len(found) == int(runs)
    for words in found:
        tune.parser().parse_args(words[1:])
