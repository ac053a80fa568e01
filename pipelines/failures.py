"""The failure of a stage inside a pipeline."""

from __future__ import annotations

from collections.abc import Callable


class StageFailed(Exception):
    """A stage that ended with a status other than 0; it has said why on stderr."""

    def __init__(self, command: str, status: int) -> None:
        super().__init__(command, status)
        self.command, self.status = command, status

    def __str__(self) -> str:
        return f"{self.command} ended with exit status {self.status}"


def status_of(run: Callable[[], int]) -> int:
    """The status that a command ends with: what it returns, or that of the stage that failed."""
    try:
        return run()
    except StageFailed as failure:  # it has said why
        return failure.status
