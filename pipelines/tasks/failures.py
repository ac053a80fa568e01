"""The failure of a stage inside a pipeline."""

from __future__ import annotations

from collections.abc import Callable


class StageFailed(Exception):
    """A stage ended with a status other than 0; its reason is already on stderr."""

    def __init__(self, command: str, status: int) -> None:
        super().__init__(command, status)
        self.command, self.status = command, status

    def __str__(self) -> str:
        return f"{self.command} ended with exit status {self.status}"


def status_of(run: Callable[[], int]) -> int:
    """Return the exit status of a command, or that of the stage that failed within it."""
    try:
        return run()
    except StageFailed as failure:  # the stage has printed the reason: no second line
        return failure.status
