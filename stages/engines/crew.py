"""Workers as a run of tasks sees them: their addresses, their load, and how attempts end."""

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
    """The end of an attempt: success, a fault, or the loss of its worker (lost)."""

    key: str
    fault: Fault | None = None
    lost: bool = False


class Crew(Protocol):
    """Workers that come and go."""

    def workers(self) -> Mapping[str, Worker]:
        """Return the present workers, by address."""
        ...

    def load(self, worker: str) -> int:
        """Return the number of attempts that a worker has not ended, abandoned ones among them."""
        ...

    def start(self, task: Task, worker: str) -> str:
        """Begin an attempt on a worker; return the key of the attempt."""
        ...

    def endings(self, seconds: float) -> Iterator[Ending]:
        """Yield the attempts that have ended; wait for one for at most `seconds`."""
        ...
