"""Parts of the page about the runs themselves: weights, time, and how they were made."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence

from campanula.pipelines import evidence
from campanula.pipelines.comparing.compared_run import ComparedRun
from campanula.pipelines.plot import CurvePoint
from campanula.pipelines.reporting.charts import COLORS, lines
from campanula.pipelines.reporting.lists import ListsSeen
from campanula.pipelines.reporting.markup import Child, Markup, section, table, tag
from campanula.pipelines.reporting.materials import kept_place

MOST = 50
"""Features in the table of weights."""


def weights(run: ComparedRun, lists: ListsSeen | None) -> Markup:
    """Section on weights: their changes by iteration, and how many lists each feature decides."""
    folder = run.folders[kept_place(run)]
    theta = evidence.read_theta(os.path.join(folder, evidence.THETA))
    if not theta:
        return Markup("")
    order = _by_movement(theta)
    chart = lines(
        "change of the weights that moved furthest",
        {name: _course(name, theta) for name in order[: len(COLORS)]},
    )
    kept = _kept(run, folder, len(theta))
    head = ["feature", "initial", "kept"]
    note = f"Those of iteration {kept} are kept. The weights that moved furthest come first."
    if lists is not None:
        head.append("decides")
        note += (
            f" A feature decides a list where another hypothesis is best when its weight is 0; of"
            f" the lists of dev that the last iteration tuned on there are {lists.count:,}."
        )
    rows = [_row(name, theta[0], theta[kept], lists) for name in order[:MOST]]
    if len(order) > MOST:
        note += f" The {len(order) - MOST:,} that moved least are left out."
    return section(
        f"Weights of {run.name}",
        tag("p", note, class_="note"),
        tag("div", chart, tag("div", table(head, rows, rich=True)), class_="halves"),
    )


def _row(
    name: str, first: Mapping[str, float], last: Mapping[str, float], lists: ListsSeen | None
) -> list[Child]:
    cells: list[Child] = [name, f"{first.get(name, 0.0):.6g}", f"{last.get(name, 0.0):.6g}"]
    if lists is not None:
        # blank, not 0, for a feature that is not among the dense ones of the lists: nobody looked
        cells.append(lists.decided[name] if name in lists.features else "")
    return cells


def _by_movement(theta: Sequence[Mapping[str, float]]) -> list[str]:
    """Names of the features, first those whose weights moved furthest from their initial values."""
    names = dict.fromkeys(name for step in theta for name in step)
    far = {
        name: max(abs(step.get(name, 0.0) - theta[0].get(name, 0.0)) for step in theta)
        for name in names
    }
    # by name where equal, so that the page of a run is the same each time
    return sorted(names, key=lambda name: (-far[name], name))


def _course(name: str, theta: Sequence[Mapping[str, float]]) -> list[CurvePoint]:
    """Difference of a weight from its initial value, by iteration."""
    values = [step.get(name, 0.0) - theta[0].get(name, 0.0) for step in theta]
    return [CurvePoint(i, value, value, value) for i, value in enumerate(values)]


def _kept(run: ComparedRun, folder: str, length: int) -> int:
    """The iteration whose weights were kept; the last of `length` where no history says."""
    histories = run.histories()
    history = histories[run.folders.index(folder)] if histories else []
    kept = history[-1].kept if history else None
    return length - 1 if kept is None or kept >= length else kept


def time(runs: Sequence[ComparedRun]) -> Markup:
    """Section on time: seconds of every run by phase, over all replicates."""
    rows: list[list[Child]] = []
    for run in runs:
        seconds: Counter[str] = Counter()
        for history in run.histories():
            for entry in history:
                seconds.update(entry.seconds)
        total = sum(seconds.values())
        for phase, value in seconds.items():
            share = value / total if total else 0.0
            # a phase that took all of the time would be 12 em wide
            bar = tag("i", class_="bar", style=f"width:{share * 12:.2f}em")
            rows.append([run.name, phase, f"{value:,.1f}", f"{share:.0%}", bar])
    head = ["run", "phase", "seconds", "share", ""]
    return section("Time", *([table(head, rows, texts=(0, 1, 4))] if rows else []))


def how(runs: Sequence[ComparedRun]) -> Markup:
    """Section on provenance: command line, program, digests and signatures of every run."""
    parts: list[Child] = []
    for run in runs:
        record = run.record
        assert record is not None
        versions = {"campanula": record.campanula, "python": record.python, **record.libraries}
        rows: list[list[Child]] = [
            ["command", tag("code", shlex.join(record.command))],
            ["folder", tag("code", record.folder)],
            ["program", record.program],
            ["versions", ", ".join(f"{name} {version}" for name, version in versions.items())],
        ]
        rows += [[f"signature of {name}", text] for name, text in record.signatures.items()]
        digests: list[list[Child]] = [["input", *item] for item in record.inputs.items()]
        digests += [["result", *item] for item in (record.results or {}).items()]
        parts += [
            tag("h3", run.name),
            tag("div", table(["what", "how"], rows, texts=(0, 1)), class_="how"),
            tag("h3", f"{run.name}: digests of files"),
            tag("div", table(["", "file", "digest"], digests, texts=(0, 1, 2)), class_="how"),
        ]
    return section("How it was made", *parts)
