"""A few of the kills of `python -m tests.reliability.relevant_set`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability.relevant_set import DASK, ONE, TWO, RelevantTorture, kill_some
from tests.reliability.runs import Variant


@pytest.mark.parametrize("variant", [Variant(ONE, 1), Variant(TWO, 1)], ids=str)
def test_killed_runs_end_in_the_same_bytes(tmp_path: Path, variant: Variant) -> None:
    torture = RelevantTorture(tmp_path, seed=1, sentences=60, iterations=4)
    kill_some(torture, variant, kills=3)  # raises Difference where the bytes are others
    assert torture.kills


def test_workers_that_die_make_the_same_bytes(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    torture = RelevantTorture(tmp_path, seed=1, sentences=24, iterations=2)
    kill_some(torture, Variant(DASK, 2), kills=2)
    assert torture.kills
