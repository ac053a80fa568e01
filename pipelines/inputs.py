"""The files that a run reads, their digests, and whether they are still what they were.

A digest is taken once, and the file is read later, perhaps by another program.  Whatever was made
meanwhile of a file that has changed belongs under no digest.  The times of a file that was changed
shortly before do not tell (formats/model/file_digests.py): such a file is read again.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from campanula.formats.errors import DataError
from campanula.formats.model.file_digests import UNSURE, FileState
from campanula.pipelines import digest

States = tuple[FileState, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """The digest of a file or folder, and the states of its files; whether these tell."""

    digest: str
    states: States
    settled: bool

    @classmethod
    def of(cls, path: str) -> Known:
        """Read a file or folder; raises DataError when it cannot be read."""
        started = time.time_ns()
        states = _states(path)
        found = digest.of_path(path)
        latest = max((max(state.modified, state.changed) for state in states), default=0)
        return cls(found, states, latest < started - UNSURE)


class Inputs:
    """Files and folders that are read in a run."""

    def __init__(self) -> None:
        self._known: dict[str, Known] = {}

    def digest_of(self, path: str) -> str:
        """Digest of a file or folder, read once; raises DataError when it cannot be read."""
        path = os.path.abspath(path)
        if path not in self._known:
            self._known[path] = Known.of(path)
        return self._known[path].digest

    def digests(self) -> dict[str, str]:
        """Digests of all that was read so far, by absolute path."""
        return {path: known.digest for path, known in self._known.items()}

    def check(self) -> None:
        """Raise DataError for one that is not what it was."""
        for path, known in self._known.items():
            if known.settled and _states(path) == known.states:
                continue
            now = Known.of(path)
            if now.digest != known.digest:
                problem = "it has changed since this run began; start again when it stays as it is"
                raise DataError(path, None, problem)
            self._known[path] = now


def _states(path: str) -> States:
    try:
        return tuple(FileState.of(file) for file in digest.files_of(path))
    except OSError as error:
        raise DataError(path, None, f"cannot be read: {error.strerror}") from error
