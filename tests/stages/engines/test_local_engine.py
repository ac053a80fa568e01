"""Tasks in threads: results in order, the first failure in order."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.stages.engines.local_engine import LocalEngine
from campanula.stages.engines.task import Task, task

FUNCTIONS = "tests.stages.engines.functions"


def numbers(folder: Path, seed: int, seconds: float = 0.0) -> Task:
    arguments = {"seed": seed, "seconds": seconds}
    return task(os.fspath(folder), "count", f"{FUNCTIONS}:numbers", arguments, seed, ".txt")


@pytest.mark.parametrize("jobs", [1, 3])
def test_results_come_in_order(tmp_path: Path, jobs: int) -> None:
    tasks = [numbers(tmp_path, seed, 0.05 * (seed == 0)) for seed in range(6)]
    paths = list(LocalEngine(jobs).run(tasks, "count"))
    assert paths == [one.output for one in tasks]
    assert [Path(path).read_text().split()[0] for path in paths] == list("012345")


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_first_failure_counts(tmp_path: Path, jobs: int) -> None:
    tasks = [numbers(tmp_path, seed) for seed in range(6)]
    for place, seconds in ((2, 0.1), (4, 0.0)):
        arguments = {"path": f"shard {place}", "seconds": seconds}
        tasks[place] = Task(f"{FUNCTIONS}:refusing", arguments, os.fspath(tmp_path / f"b-{place}"))
    with pytest.raises(DataError, match="shard 2"):
        list(LocalEngine(jobs).run(tasks, "count"))
