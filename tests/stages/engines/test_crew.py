"""The crew of the tests is a crew."""

from __future__ import annotations

from campanula.stages.engines.crew import Crew, Ending, Worker
from tests.stages.engines.fake_crew import FakeCrew


def test_what_a_crew_says() -> None:
    crew: Crew = FakeCrew(2)
    assert crew.workers()["w1"] == Worker("w1", "h1", threads=1, silence=0.0)
    assert crew.load("w1") == 0
    assert list(crew.endings(0.0)) == []
    assert Ending("key") == Ending("key", fault=None, lost=False)
