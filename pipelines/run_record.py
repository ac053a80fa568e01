"""The record of a run in its folder: `run.json`, from which `campanula rerun` redoes the run.

    campanula, program    version and digest of the program; python and libraries: theirs
    command, folder       the command line, and the folder that its relative paths begin in
    settings              every flag of the loop, defaults too; of `decode` and `optimize`, theirs
    sets                  source and references of every data set, by name
    inputs                digests of all files and folders that were read, by path
    results               digests of weights and translations; null until the run is done
    signatures            how the weights were made

Two runs are the same if program, settings and inputs are; threads, workers and the folder of a run
change no byte, and are not compared.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import campanula
from campanula.formats.errors import DataError, unreadable
from campanula.formats.files import Output
from campanula.formats.json_objects import object_of
from campanula.formats.program import LIBRARIES
from campanula.pipelines.tasks import digest

NAME = "run.json"

FREE = {"work_dir", "share", "jobs", "workers", "quiet", "luigi_scheduler"}
FREE |= {"report", "engine", "dask_scheduler", "dask_workers", "dask_folder"}
"""Settings that change no byte of the results."""

Digests = dict[str, str]

TEXTS = ("campanula", "program", "python", "folder")
TEXTS_BY_NAME = ("libraries", "inputs", "results", "signatures")
UNFINISHED = ("results", None)
SHOWN = 40


@dataclass(frozen=True, slots=True)
class CommandLine:
    """Command line of a run: the words after `tune`, and the settings that they make."""

    words: tuple[str, ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunRecord:
    """The content of run.json, whose keys are the fields."""

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
        """Record of a run that begins now in the working folder."""
        from importlib import metadata

        return cls(
            campanula=campanula.__version__,
            program=digest.program_digest(),
            python=platform.python_version(),
            libraries={name: metadata.version(name) for name in LIBRARIES},
            command=["tune", *command.words],
            folder=os.getcwd(),
            # through JSON once, which turns tuples to lists: so a record equals itself read back
            settings=json.loads(json.dumps(dict(command.settings), sort_keys=True)),
            sets=sets,
        )

    @classmethod
    def read(cls, folder: str) -> RunRecord:
        """Record of a run folder; raises DataError where run.json is missing or malformed."""
        path = os.path.join(folder, NAME)
        try:
            with open(path, encoding="utf-8") as file:
                return cls(**checked(object_of(file.read())))
        except FileNotFoundError:
            problem = f"expected the folder of a run of `tune`, with {NAME}, found none"
            raise DataError(folder, None, problem) from None
        except OSError as error:
            raise unreadable(path, error) from error
        # RecursionError is what the json module raises for brackets nested too deep
        except (ValueError, TypeError, RecursionError) as error:
            problem = f"expected what `tune` writes of a run, found something else ({error})"
            raise DataError(path, None, problem) from None

    def write(self, folder: str) -> None:
        """Write run.json into a run folder, whole or not at all."""
        with Output(os.path.join(folder, NAME)) as out:
            out.write_line(json.dumps(asdict(self), indent=1, ensure_ascii=False))

    def is_asked_as(self, other: RunRecord) -> bool:
        """Whether program and settings are equal to those of another run."""
        return self._asked() == other._asked()

    def _asked(self) -> object:
        return self.program, {k: v for k, v in self.settings.items() if k not in FREE}

    def resolved(self, path: str) -> str:
        """Path of an input or a file of a set: relative paths begin in `self.folder`."""
        return os.path.join(self.folder, path)


def checked(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record after a check of its types; raises ValueError."""
    for key, value in record.items():
        shown = repr(value)[:SHOWN]
        if key in TEXTS and not isinstance(value, str):
            raise ValueError(f"{key!r}: expected text, found {shown}")
        if key in TEXTS_BY_NAME and not (are_texts_by_name(value) or (key, value) == UNFINISHED):
            raise ValueError(f"{key!r}: expected texts by name, found {shown}")
        if key == "settings" and not isinstance(value, dict):
            raise ValueError(f"{key!r}: expected settings by name, found {shown}")
    if not (record.get("command") and are_texts(record["command"])):
        raise ValueError(f"'command': expected words, found {repr(record.get('command'))[:SHOWN]}")
    if not are_sets(record.get("sets")):
        problem = "'sets': expected source and references by name"
        raise ValueError(f"{problem}, found {repr(record.get('sets'))[:SHOWN]}")
    return record


def are_texts(value: object) -> bool:
    """Whether a value is a list of texts."""
    return isinstance(value, list) and all(isinstance(v, str) for v in value)


def are_texts_by_name(value: object) -> bool:
    """Whether a value is texts by name."""
    return isinstance(value, dict) and all(isinstance(v, str) for v in value.values())


def are_sets(value: object) -> bool:
    """Whether a value is data sets by name; a name is that of files in the run's folder."""
    return isinstance(value, dict) and all(
        isinstance(files, dict)
        and isinstance(files.get("source"), str)
        and are_texts(files.get("refs"))
        and os.path.basename(name) == name
        for name, files in value.items()
    )
