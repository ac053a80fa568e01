"""The benchmark of inventories at a thousandth of its size: what it prints holds there, too."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_a_thousandth():
    path = ROOT / "benchmarks" / "bench_inventory.py"
    env = {**os.environ, "CAMPANULA_NAMES": "45000"}
    done = subprocess.run(
        [sys.executable, path], env=env, capture_output=True, text=True, check=True
    )
    rows = dict(re.split(r"  +", line, maxsplit=1) for line in done.stdout.splitlines())
    assert int(rows["names"].split()[0].replace(",", "")) >= 45_000
    assert float(rows["beside the text"].split()[0]) <= 60
    assert float(rows["peak of all memory"].split()[0]) < 1
