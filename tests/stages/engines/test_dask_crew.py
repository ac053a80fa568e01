"""What dask says of workers and attempts, as a crew says it."""

from __future__ import annotations

from typing import Any

from campanula.stages.engines.attempt import DATA, MACHINE, Fault
from campanula.stages.engines.crew import Worker
from campanula.stages.engines.dask_crew import _ending, _workers_of


def state(last_seen: float, status: str = "running") -> dict[str, Any]:
    return {"host": "127.0.0.1", "nthreads": 2, "last_seen": last_seen, "status": status}


def test_silence_counts_from_the_worker_that_was_heard_last() -> None:
    states = {
        "tcp://a:1": state(100.0),
        "tcp://b:2": state(88.0),
        "tcp://c:3": state(99.0, "paused"),
    }
    assert _workers_of({"workers": states}) == {
        "tcp://a:1": Worker("tcp://a:1", "127.0.0.1", 2, 0.0),
        "tcp://b:2": Worker("tcp://b:2", "127.0.0.1", 2, 12.0),
    }
    assert _workers_of({"workers": {}}) == {}


class Ended:
    """A future of dask's that has ended."""

    def __init__(self, status: str, failure: BaseException | None = None) -> None:
        self.status = status
        self._failure = failure

    def exception(self) -> BaseException | None:
        return self._failure


class KilledWorker(Exception):
    """As dask's is called."""


def test_how_attempts_end() -> None:
    data = Fault(DATA, "dev.de", "line 1", "damaged")
    assert _ending("k", "w", Ended("finished")).fault is None
    assert _ending("k", "w", Ended("error", data)).fault is data
    for lost in (Ended("cancelled"), Ended("lost"), Ended("error", KilledWorker())):
        assert _ending("k", "w", lost).lost
    other = _ending("k", "tcp://a:1", Ended("error", ModuleNotFoundError("No module campanula")))
    assert other.fault is not None
    assert other.fault.kind == MACHINE
    assert str(other.fault).startswith("tcp://a:1: expected a worker that can do the work")
