"""The failure of a stage knows whose it is."""

from __future__ import annotations

from campanula.pipelines.failures import StageFailed


def test_it_names_the_stage() -> None:
    failure = StageFailed("decode", 1)
    assert (failure.status, str(failure)) == (1, "decode ended with exit status 1")
