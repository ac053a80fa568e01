"""A few of the kills of `make torture`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability.runs import FOREIGN, Variant
from tests.reliability.torture import Torture


@pytest.mark.parametrize("variant", [Variant("rampion", 2), Variant(FOREIGN, 1)], ids=str)
def test_killed_runs_end_in_the_same_bytes(tmp_path: Path, variant: Variant) -> None:
    torture = Torture(tmp_path, seed=1)
    while torture.kills < 3:
        torture.trial(variant, most=2)  # raises Difference where the bytes are others
    assert torture.counts["runs"] > 0
