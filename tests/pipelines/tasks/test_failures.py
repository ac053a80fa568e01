"""The failure of a stage knows whose it is."""

from __future__ import annotations

from campanula.pipelines.tasks import failures
from campanula.pipelines.tasks.failures import StageFailed


def test_it_names_the_stage() -> None:
    failure = StageFailed("decode", 1)
    assert (failure.status, str(failure)) == (1, "decode ended with exit status 1")


def test_a_command_ends_with_its_status_or_that_of_the_stage_that_failed() -> None:
    def failing() -> int:
        raise StageFailed("decode", 130)

    assert [failures.status_of(run) for run in (lambda: 0, lambda: 2, failing)] == [0, 2, 130]
