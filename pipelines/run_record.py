"""What a run folder says of how it was made: `run.json`, from which `campanula rerun` redoes it.

campanula, program    version and digest of the program; python and libraries: theirs
command, folder       the command line, and the folder that its relative paths begin in
settings              every flag of the loop, defaults too; of `decode` and `optimize`, theirs
sets                  source and references of every data set, by name
inputs                digests of all files and folders that were read, by path
results               digests of weights and translations; null until the run is done
signatures            how the weights were made

Two runs are the same where program, settings and inputs are; threads, workers and the folder of a
run change no byte, and do not count.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import campanula
from campanula.formats.errors import DataError
from campanula.formats.files import Output
from campanula.formats.program import LIBRARIES
from campanula.pipelines import digest

NAME = "run.json"

FREE = {"work_dir", "share", "jobs", "workers", "quiet", "luigi_scheduler"}
FREE |= {"engine", "dask_scheduler", "dask_workers", "dask_folder"}
"""Settings that change no byte of the results."""

Digests = dict[str, str]


@dataclass(frozen=True, slots=True)
class CommandLine:
    """How a run was asked for: the words after `tune`, and the settings that they come to."""

    words: tuple[str, ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunRecord:
    """The content of run.json; the file's keys are these."""

    campanula: str
    program: str
    python: str
    libraries: Mapping[str, str]
    command: list[str]
    folder: str
    settings: Mapping[str, Any]
    sets: Mapping[str, Any]
    inputs: Digests = field(default_factory=dict)
    results: Digests | None = None
    signatures: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, command: CommandLine, sets: Mapping[str, Any]) -> RunRecord:
        """The record of a run that begins here and now."""
        from importlib import metadata

        return cls(
            campanula=campanula.__version__,
            program=digest.of_program(),
            python=platform.python_version(),
            libraries={name: metadata.version(name) for name in LIBRARIES},
            command=["tune", *command.words],
            folder=os.getcwd(),
            # as JSON has them, so that what is read equals what was written
            settings=json.loads(json.dumps(dict(command.settings), sort_keys=True)),
            sets=sets,
        )

    @classmethod
    def read(cls, folder: str) -> RunRecord:
        """The record of a run folder; raises DataError where there is none, or another thing."""
        path = os.path.join(folder, NAME)
        try:
            with open(path, encoding="utf-8") as file:
                return cls(**json.load(file))
        except FileNotFoundError:
            problem = f"expected the folder of a run of `tune`, with {NAME}, found none"
            raise DataError(folder, None, problem) from None
        except OSError as error:
            raise DataError(path, None, f"cannot be read: {error.strerror}") from error
        except (ValueError, TypeError, RecursionError) as error:
            problem = f"expected what `tune` writes of a run, found something else ({error})"
            raise DataError(path, None, problem) from None

    def write(self, folder: str) -> None:
        """Write it into a run folder, whole or not at all."""
        with Output(os.path.join(folder, NAME)) as out:
            out.write_line(json.dumps(asdict(self), indent=1, ensure_ascii=False))

    def is_asked_as(self, other: RunRecord) -> bool:
        """Whether program and settings are those of another run."""
        return self._asked() == other._asked()

    def _asked(self) -> object:
        return self.program, {k: v for k, v in self.settings.items() if k not in FREE}

    def place(self, path: str) -> str:
        """Path of an input or a file of a set: a relative one begins in the folder of the run."""
        return os.path.join(self.folder, path)
