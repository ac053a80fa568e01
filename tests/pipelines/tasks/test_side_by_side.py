"""Runs that go on together: what is built when."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

from campanula.pipelines.tasks.building import Workers
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.side_by_side import finish


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What is built, in place of building it."""
    builds: list[list[str]] = []
    monkeypatch.setattr(Cache, "build", lambda cache, tasks: builds.append(list(tasks)))
    return builds


def run(name: str, n: int) -> Generator[Iterable[Any], None, str]:
    for number in range(n):
        yield [f"{name}{number}"]
    return name * n


def test_one_worker_finishes_a_run_before_the_next(tmp_path: Path, built: list[list[str]]) -> None:
    cache = Cache(os.fspath(tmp_path))
    assert finish(cache, [run("a", 2), run("b", 1)]) == ["aa", "b"]
    assert [build for build in built if build] == [["a0"], ["a1"], ["b0"]]


def test_several_workers_build_what_all_runs_wait_for(
    tmp_path: Path, built: list[list[str]]
) -> None:
    cache = Cache(os.fspath(tmp_path), Workers(2))
    assert finish(cache, [run("a", 1), run("b", 3), run("c", 0)]) == ["a", "bbb", ""]
    assert [build for build in built if build] == [["a0", "b0"], ["b1"], ["b2"]]
