"""Laps: every second of a run belongs to one phase."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from campanula.pipelines.cache import Cache
from campanula.pipelines.laps import Laps


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(os.fspath(tmp_path))


def test_phases_and_the_rest_are_the_whole(cache: Cache) -> None:
    start = time.perf_counter()
    laps = Laps(cache, {"decode": "decode", "rerank": "score"}, "optimise", start)
    cache.seconds.update({"decode": 2.0, "rerank": 1.0, "optimize": 0.5, "mine": 0.25})
    lap = laps.lap()
    assert list(lap) == ["decode", "score", "optimise", "orchestration"]
    assert (lap["decode"], lap["score"], lap["optimise"]) == (2.0, 1.0, 0.75)
    assert sum(lap.values()) == pytest.approx(time.perf_counter() - start, abs=0.1)


def test_a_lap_begins_where_the_last_one_ended(cache: Cache) -> None:
    cache.seconds["decode"] = 5.0
    laps = Laps(cache, {"decode": "decode"}, "optimise")
    cache.seconds["decode"] += 1.0
    assert laps.lap()["decode"] == 1.0
    assert laps.lap()["decode"] == 0.0
