"""Laps: every second of a run belongs to one phase."""

from __future__ import annotations

import time

import pytest

from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.laps import Laps, needed
from campanula.pipelines.tasks.stage_task import StageTask, stage
from campanula.pipelines.tasks.task_process import TaskReport

PHASES = {"decode": "decode", "rerank": "score"}


def took(cache: Cache, seconds: float, task: StageTask) -> None:
    cache.done.append(TaskReport(task.call.work.command, task.digest, seconds))


def test_phases_and_the_rest_are_the_whole(cache: Cache) -> None:
    start = time.perf_counter() - 10.0
    laps = Laps(cache, PHASES, "optimise", start)
    for command, seconds in (("decode", 2.0), ("rerank", 1.0), ("optimize", 0.5), ("mine", 0.25)):
        took(cache, seconds, stage(cache, command, suffix=".x"))
    lap = laps.lap(more={"text": 1.0})
    assert list(lap) == ["decode", "score", "optimise", "text", "orchestration"]
    assert [lap[name] for name in ("decode", "score", "optimise", "text")] == [2.0, 1.0, 0.75, 1.0]
    assert sum(lap.values()) == pytest.approx(time.perf_counter() - start, abs=0.1)


def test_a_lap_begins_where_the_last_one_ended(cache: Cache) -> None:
    task = stage(cache, "decode", suffix=".x")
    took(cache, 5.0, task)
    laps = Laps(cache, PHASES, "optimise")
    took(cache, 1.0, task)
    assert laps.lap()["decode"] == 1.0
    assert laps.lap()["decode"] == 0.0


def test_tasks_count_that_a_run_needs(cache: Cache) -> None:
    """Two runs side by side share their first decoding, and nothing else."""
    shared = stage(cache, "decode", suffix=".x")
    one, two = (stage(cache, "rerank", shared, name, suffix=".x") for name in "ab")
    laps = [Laps(cache, PHASES, "optimise") for _ in range(2)]
    for seconds, task in ((4.0, shared), (2.0, one), (1.0, two)):
        took(cache, seconds, task)
    assert needed([one]) == {shared.digest, one.digest}
    found = [lap.lap([task]) for lap, task in zip(laps, (one, two), strict=True)]
    assert [(lap["decode"], lap["score"]) for lap in found] == [(4.0, 2.0), (4.0, 1.0)]
    assert all(lap["orchestration"] == 0.0 for lap in found)  # they took longer than the lap
