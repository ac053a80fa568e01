"""A minute of the trouble of `make torture`."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("distributed")

from tests.reliability import extending
from tests.reliability.workers import trial, trial_of_weights


def test_workers_in_trouble_make_the_same_bytes(tmp_path: Path) -> None:
    counts = trial(tmp_path, n_shards=40, seed=1)
    assert counts["killed"] > 2
    assert counts["stopped"] > 0
    assert counts["without a disk"] > 0


def test_workers_in_trouble_make_the_same_weights(tmp_path: Path) -> None:
    counts = trial_of_weights(tmp_path, seed=1)
    assert counts["killed"] > 2
    assert counts["stopped"] > 0


def test_workers_in_trouble_add_the_same_names(tmp_path: Path) -> None:
    counts = extending.trial(tmp_path, n_parts=30, seed=1, kinds=("kill",))
    assert counts["killed"] > 2
