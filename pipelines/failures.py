"""The failure of a stage inside a pipeline."""

from __future__ import annotations


class StageFailed(Exception):
    """A stage that ended with a status other than 0; it has said why on stderr."""

    def __init__(self, command: str, status: int) -> None:
        super().__init__(command, status)
        self.command, self.status = command, status

    def __str__(self) -> str:
        return f"{self.command} ended with exit status {self.status}"
