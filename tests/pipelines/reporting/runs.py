"""Runs of a tiny model for the report, made once for all tests."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from campanula.pipelines import tune
from campanula.pipelines.comparing.compared_run import ComparedRun
from campanula.pipelines.reporting.materials import Materials, gathered
from tests.pipelines import tiny

PLACES: list[Path] = []
"""The folder of the session, which conftest.py makes."""


@cache
def folder() -> Path:
    """Where a run with two replicates, `mert`, and one without, `rampion`, have been made."""
    (place,) = PLACES
    data = tiny.write(place)
    test = ["--test", "test", *(os.fspath(place / name) for name in ("dev.de", "dev.en1"))]
    flags = [*data, *test, "--iterations", "3", "-q"]
    for words in (["mert", *flags, "--replicates", "2"], ["rampion", *flags]):
        assert tune.main([*words, "--work-dir", os.fspath(place / words[0])]) == 0
    return place


def run(name: str) -> ComparedRun:
    return ComparedRun.open(name, os.fspath(folder() / name))


@cache
def materials(*names: str) -> Materials:
    return gathered([run(name) for name in names], [], 1)
