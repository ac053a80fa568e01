"""Tables and a figure of Gimpel and Smith (2012), from runs of `tune`.

A run's folder is LANGUAGE/METHOD, or LANGUAGE/METHOD-...; values are those under the kept weights,
one for each replicate.

    rampion-table1     methods x languages x test sets, and their average over all scores
    rampion-figure3    dev against test BLEU, a point a run, a mark an initial model
    rampion-table2     the same as table1 for many features, with dev (Tune)
    rampion-losses     losses on the same lists: outputs TEST/LOSS.out in place of runs
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from experiments import runs as folders
from experiments.comparison import compare
from experiments.tables import Cell, Table

AVERAGE = "avg"
Values = Sequence[float]


class Run(NamedTuple):
    """A run: source language, method, initial weights, values by data set, tuned and before."""

    language: str
    method: str
    start: str
    values: dict[str, Values]
    before: dict[str, Values]
    signature: str


def read(folder: str) -> Run | None:
    """The run of a folder, with the finished replicates of an unfinished one; None without any."""
    path = Path(folder)
    method, _, rest = path.name.partition("-")
    # LANGUAGE/METHOD-from-N is a run from the initial model N, METHOD-lexical one with features
    start = rest.removeprefix("from-") if rest.startswith("from-") else "default"
    lines = folders.lines_of(folder, "history.jsonl") if folders.is_done(folder) else []
    ends = folders.replicates(folder) or ([(lines[0], lines[-1])] if lines else [])
    if not ends:
        return None
    tuned = _columns([last["tuned"] for _, last in ends])
    before = _columns([first for first, _ in ends])
    return Run(path.parent.name, method, start, tuned, before, folders.signature(folder))


def _columns(lines: Sequence[folders.Line]) -> dict[str, Values]:
    sets = [{"dev": line["dev"], **line["test"]} for line in lines]
    return {name: [values[name] for values in sets] for name in sets[0]}


def table(title: str, runs: Sequence[Run], with_dev: bool) -> Table:
    """Values of every method; the last column is the mean over all scores of test sets."""
    languages = list(dict.fromkeys(run.language for run in runs))
    sets = [name for name in (runs[0].values if runs else ()) if with_dev or name != "dev"]
    columns = [f"{language} {name}" for language in languages for name in sets]
    rows: dict[str, dict[str, Cell]] = {"untuned": {}}
    signatures: dict[str, dict[str, str]] = {}
    for run in runs:
        for name in sets:
            column = f"{run.language} {name}"
            # one value: replicates begin with the same weights
            rows["untuned"].setdefault(column, run.before[name][:1])
            rows.setdefault(run.method, {})[column] = run.values[name]
        signatures.setdefault(run.method, {})[run.language] = run.signature
    for row in rows.values():
        # a method that lacks a score has no average: it would be over other columns
        scored = [row.get(c, ()) for c in columns if not c.endswith(" dev")]
        if scored and all(scored):
            row[AVERAGE] = [mean(v for cell in scored for v in cell if not isinstance(v, str))]
    shown = [*columns, AVERAGE]
    figure = {"kind": "bars", "columns": shown, "over": "untuned", "label": "BLEU over untuned"}
    return Table(title, shown, rows, signatures, figure)


def table1(runs: Sequence[Run]) -> Table:
    """The table of all methods on all test sets."""
    return table("BLEU on test sets, mean (standard deviation)", runs, with_dev=False)


def table2(runs: Sequence[Run]) -> Table:
    """The table of large feature sets."""
    return table("BLEU with large feature sets, dev and test", runs, with_dev=True)


def figure3(runs: Sequence[Run]) -> Table:
    """Dev against the first test set, by method and initial model."""
    test = next((name for run in runs for name in run.values if name != "dev"), "test")
    rows: dict[str, dict[str, Cell]] = {
        f"{run.method}, {run.start}": {"dev": run.values["dev"], test: run.values[test]}
        for run in runs
    }
    signatures = {f"{run.method}, {run.start}": run.signature for run in runs}
    title = "BLEU by method and initial model, mean (standard deviation)"
    return Table(
        title, ["dev", test], rows, signatures, {"kind": "points", "columns": ["dev", test]}
    )


def losses(outputs: Sequence[str], refs: Sequence[str]) -> Table:
    """Losses on the same lists; outputs: TEST/LOSS.out; refs: those of a test begin with its name.

    The weights of a loss are ../LOSS.weights; the other losses are compared with the first.
    """
    tests = list(dict.fromkeys(Path(path).parent.name for path in outputs))
    first = Path(outputs[0]).stem
    columns: list[str] = []
    rows: dict[str, dict[str, Cell]] = {}
    signatures: dict[str, str] = {}
    for test in tests:
        systems = {Path(p).stem: [p] for p in outputs if Path(p).parent.name == test}
        # references are TEST.en, or TEST.en.kjv, ...
        own = [ref for ref in refs if Path(ref).name.startswith(f"{test}.")]
        (bleu,) = compare(systems, own)
        columns += [test, f"{test}: p"]
        signatures[test] = bleu.signature
        for name, system in bleu.systems.items():
            rows.setdefault(name, {})[test] = system["values"]
            rows[name][f"{test}: p"] = bleu.p(name)
    for path in outputs:
        weights = Path(path).parents[1] / f"{Path(path).stem}.weights"
        signatures.setdefault(Path(path).stem, comment(weights))
    title = "BLEU of lists reranked by the weights of a loss, and p against the untuned ones"
    figure = {"kind": "bars", "columns": tests, "over": first, "label": "BLEU gained"}
    return Table(title, columns, rows, signatures, figure)


def comment(weights: Path) -> str:
    """The first comment of a file of weights: their signature."""
    lines = weights.read_text(encoding="utf-8").splitlines()
    return next((line.removeprefix("#").strip() for line in lines if line.startswith("#")), "")
