"""Workers as a run of tasks sees them: where they are, what they have to do, how attempts end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from campanula.stages.engines.attempt import Fault
from campanula.stages.engines.task import Task


@dataclass(frozen=True, slots=True)
class Worker:
    """A process that does tasks, `threads` at a time; silence is in seconds since it was heard."""

    address: str
    host: str
    threads: int = 1
    silence: float = 0.0


@dataclass(frozen=True, slots=True)
class Ending:
    """How an attempt has ended: well, by a fault, or with its worker (lost)."""

    key: str
    fault: Fault | None = None
    lost: bool = False


class Crew(Protocol):
    """Workers that come and go."""

    def workers(self) -> Mapping[str, Worker]:
        """Those that are there now, by address."""
        ...

    def load(self, worker: str) -> int:
        """How many attempts a worker has not ended, those that nobody waits for among them."""
        ...

    def start(self, task: Task, worker: str) -> str:
        """Begin an attempt on a worker; returns its key."""
        ...

    def endings(self, seconds: float) -> Iterator[Ending]:
        """Yield the attempts that have ended, after waiting for one at most so long."""
        ...
