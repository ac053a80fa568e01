"""Files that a run of maximum expected BLEU training leaves: history, curves, times, tables.

history.jsonl has a line for every system, the baseline first:

    system       baseline, or the solver
    dev, NAME    corpus metric, a number for each run of MERT; `selection` alike, and the tests of
                 baseline and best
    tau, eta, iteration, objective, expected_bleu, features     of the training, at t
    kept         true for the best on --selection
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean
from typing import Any

from campanula.formats.files import Output
from campanula.pipelines.copying import copy
from campanula.pipelines.expected_bleu.model import LearnedTables
from campanula.pipelines.expected_bleu.steps import TrainingPoint
from campanula.pipelines.expected_bleu.systems import MertSystem
from campanula.pipelines.history import digits_of
from campanula.pipelines.tasks.laps import REST
from campanula.stages import command

KEYS = ("system", "tau", "eta", "iteration", "objective", "expected_bleu", "features", "kept")
PHRASE_TABLE, ORIENTATION_TABLE = "phrase-table.gz", "orientation-table.gz"


@dataclass(slots=True)
class Line:
    """A line of the history: a system; values: by data set; point: how it was trained, at t."""

    system: str
    values: Mapping[str, tuple[float, ...]]
    point: Mapping[str, Any] = field(default_factory=dict)
    kept: bool = False

    def add(self, name: str, system: MertSystem) -> None:
        """Add the values of the system on another data set."""
        self.values = {**self.values, name: system.values[name]}

    def keep(self) -> None:
        """Mark the system as the one that the run keeps."""
        self.kept = True

    def to_json(self) -> str:
        """The record as a line of JSON."""
        values = {name: list(by_run) for name, by_run in self.values.items()}
        line = {"system": self.system, **self.point, **values}
        return json.dumps({**line, "kept": True} if self.kept else line)

    def __str__(self) -> str:
        means = {name: mean(by_run) for name, by_run in self.values.items()}
        digits = digits_of(means.values())
        shown = ", ".join(f"{name} {value:.{digits}f}" for name, value in means.items())
        if not self.point:
            return f"{self.system}: {shown}"
        eta = "" if self.point["eta"] is None else f", eta {self.point['eta']}"
        at = f"tau {self.point['tau']}{eta}, iteration {self.point['iteration']}"
        return f"{self.system}, {at}: expected BLEU {self.point['expected_bleu']:.4f}, {shown}"


def write(path: str, lines: Iterable[Line]) -> None:
    """Write a history, whole or not at all."""
    with Output(path) as out:
        for line in lines:
            out.write_line(line.to_json())


@dataclass(slots=True)
class Times:
    """Seconds of the commands of each step, by phase, in a file with a line of JSON a step.

    A step that this run finds in the cache keeps the seconds that an earlier run noted.
    """

    path: str
    earlier: dict[str, dict[str, float]]
    seconds: dict[str, dict[str, float]] = field(default_factory=dict)

    @classmethod
    def at(cls, path: str) -> Times:
        """Times of a run; the file at `path`, if there is one, has those of an earlier run."""
        try:
            lines = read_curve(path) if os.path.exists(path) else []
            return cls(path, {line["step"]: dict(line["seconds"]) for line in lines})
        # times are no result: a run goes on without those of the earlier one
        except (OSError, ValueError, LookupError, TypeError, RecursionError):
            command.complain(f"tune: {path}: damaged, and made again")
            return cls(path, {})

    def note(self, step: str, seconds: dict[str, float]) -> None:
        """Note what a step took, and write the file."""
        # a step that is looked up takes orchestration alone
        is_new = any(value for phase, value in seconds.items() if phase != REST)
        self.seconds[step] = seconds if is_new else self.earlier.get(step, seconds)
        with Output(self.path) as out:
            for name, by_phase in self.seconds.items():
                out.write_line(json.dumps({"step": name, "seconds": by_phase}))


def read_curve(path: str) -> list[dict[str, Any]]:
    """Lines of a file of JSON, such as a curve (curve.py)."""
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write_curves(path: str, solver: str, curves: Sequence[tuple[TrainingPoint, str]]) -> None:
    """Write the curves of all that was trained, by tau, eta and iteration."""
    with Output(path) as out:
        for point, curve in curves:
            for line in read_curve(curve):
                settings = {"solver": solver, "tau": point.tau, "eta": point.eta}
                out.write_line(json.dumps({**settings, **line}))


def copied_tables(tables: LearnedTables, folder: str) -> LearnedTables:
    """Copy tables into a folder."""
    # copies, since the user may remove the cache, where the tables were made
    phrases = os.path.join(folder, PHRASE_TABLE)
    copy(tables.phrase_table, phrases)
    if tables.orientations is None:
        return LearnedTables(phrases)
    orientations = os.path.join(folder, ORIENTATION_TABLE)
    copy(tables.orientations, orientations)
    return LearnedTables(phrases, orientations, tables.orientation)
