"""Fixtures of the pipelines' tests."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from campanula.pipelines.tasks.cache import Cache


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    """A cache in a folder of its own, which no run has entered."""
    return Cache(os.fspath(tmp_path))


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the commands that runs in this process have run, but for checks of their flags."""
    names: list[str] = []
    plain = Cache.run

    def noted(cache: Cache, name: str, argv: Sequence[str]) -> None:
        if "--check" not in argv:
            names.append(name)
        plain(cache, name, argv)

    monkeypatch.setattr(Cache, "run", noted)
    return names
