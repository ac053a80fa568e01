"""How long each command takes to show its help, beside the interpreter alone."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from functools import partial
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.timing import seconds

SCRIPTS = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"][
    "scripts"
]
BIN = Path(sys.executable).parent


def run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


@pytest.mark.benchmark(group="start")
def test_start(benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str]) -> None:
    alone = seconds(lambda: run(sys.executable, "-c", ""))
    taken = {name: seconds(partial(run, str(BIN / name), "--help")) for name in SCRIPTS}
    with capsys.disabled():
        print(f"\nstart: Python alone {alone:.2f} s; with --help:")
        for name, value in sorted(taken.items(), key=lambda item: -item[1]):
            print(f"  {name:<20}{value:.2f} s")
    benchmark.pedantic(run, (str(BIN / "rerank"), "--help"), rounds=3)
