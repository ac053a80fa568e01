"""The files that a run reads, their digests, and whether they have changed since.

A digest is taken once, and the file is read later, perhaps by another program.  If the file changes
in between, the result belongs under no digest.  Whether it changed shows in its times and size; but
for a file that was written just before the digest was taken, these may not show a change
(formats/model/file_digests.py), and such a file is read again.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from campanula.formats.errors import DataError, unreadable
from campanula.formats.model.file_digests import UNSURE, FileState
from campanula.pipelines.tasks import digest

States = tuple[FileState, ...]


@dataclass(frozen=True, slots=True)
class InputState:
    """Digest of a file or folder, and the states of its files; settled: these show any change."""

    digest: str
    states: States
    settled: bool

    @classmethod
    def of(cls, path: str) -> InputState:
        """Read a file or folder; raises DataError when it cannot be read."""
        started = time.time_ns()
        states = _states(path)  # before the bytes: a change while they are read must show
        content = digest.of_path(path)
        latest = max((max(state.modified, state.changed) for state in states), default=0)
        # a file that has just changed may change again within the clock's grain, at equal times
        return cls(content, states, latest < started - UNSURE)


class Inputs:
    """Files and folders that are read in a run."""

    def __init__(self) -> None:
        self._states: dict[str, InputState] = {}

    def digest_of(self, path: str) -> str:
        """Digest of a file or folder, read once; raises DataError when it cannot be read."""
        path = os.path.abspath(path)
        if path not in self._states:
            self._states[path] = InputState.of(path)
        return self._states[path].digest

    def digests(self) -> dict[str, str]:
        """Digests of all files and folders read so far, by absolute path."""
        return {path: state.digest for path, state in self._states.items()}

    def check(self) -> None:
        """Raise DataError for a file that has changed since its digest was taken."""
        for path, before in self._states.items():
            # times of a settled state show any change: no need to read the bytes again
            if before.settled and _states(path) == before.states:
                continue
            now = InputState.of(path)
            if now.digest != before.digest:
                problem = "it has changed since this run began; start again when it stays as it is"
                raise DataError(path, None, problem)
            self._states[path] = now


def _states(path: str) -> States:
    try:
        return tuple(FileState.of(file) for file in digest.files_of(path))
    except OSError as error:
        raise unreadable(path, error) from error
