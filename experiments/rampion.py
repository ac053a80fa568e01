"""Tables and a figure of Gimpel and Smith (2012), of runs of `tune`.

    python -m experiments.rampion table1 RUN... --output PATH

A run's folder is LANGUAGE/METHOD, or LANGUAGE/METHOD-...; values are those under the weights that
are kept, one a replicate.

    table1     methods x languages x test sets, and their average over all scores
    figure3    dev against test BLEU, a point a run, a mark an initial model
    table2     the same as table1 for many features, with dev (Tune)
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from campanula.pipelines import history
from campanula.pipelines.run_record import RunRecord
from experiments.tables import Table, Values, markdown, write

AVERAGE = "avg"


class Run(NamedTuple):
    """A run: what was translated, the method, the initial model, values by data set."""

    language: str
    method: str
    start: str
    values: dict[str, Values]
    before: dict[str, Values]
    signature: str


def read(folder: str) -> Run:
    """The run of a folder."""
    path = Path(folder)
    method, _, rest = path.name.partition("-")
    start = rest.removeprefix("from-") if rest.startswith("from-") else "default"
    signature = RunRecord.read(folder).signatures.get("weights", "")
    replicates = path / "replicates.jsonl"
    if replicates.exists():
        lines = [json.loads(line) for line in replicates.read_text().splitlines()]
        tuned, before = (_columns([line[key] for line in lines]) for key in ("tuned", "before"))
    else:
        found = history.read(os.fspath(path / "history.jsonl"))
        last = found[-1].tuned
        if last is None:
            raise SystemExit(f"{folder}: the run has not come to its end")
        tuned = _columns([{"dev": last.dev, **last.test}])
        before = _columns([{"dev": found[0].dev, **found[0].test}])
    return Run(path.parent.name, method, start, tuned, before, signature)


def _columns(lines: Sequence[dict[str, float]]) -> dict[str, Values]:
    return {name: [line[name] for line in lines] for name in lines[0]}


def table(title: str, runs: Sequence[Run], with_dev: bool) -> Table:
    """Values of every method; the last column is the mean over all scores of test sets."""
    languages = list(dict.fromkeys(run.language for run in runs))
    sets = [name for name in runs[0].values if with_dev or name != "dev"]
    columns = [f"{language} {name}" for language in languages for name in sets]
    rows: dict[str, dict[str, Values]] = {"untuned": {}}
    signatures: dict[str, dict[str, str]] = {}
    for run in runs:
        for name in sets:
            column = f"{run.language} {name}"
            rows["untuned"].setdefault(column, run.before[name][:1])
            rows.setdefault(run.method, {})[column] = run.values[name]
        signatures.setdefault(run.method, {})[run.language] = run.signature
    for found in rows.values():
        scores = [v for c, values in found.items() if not c.endswith(" dev") for v in values]
        found[AVERAGE] = [mean(scores)]
    return Table(title, [*columns, AVERAGE], rows, signatures)


def table1(runs: Sequence[Run], output: str) -> None:
    """Write the table of all methods on all test sets."""
    _write(table("BLEU on test sets, mean (standard deviation)", runs, with_dev=False), output)


def table2(runs: Sequence[Run], output: str) -> None:
    """Write the table of large feature sets."""
    _write(table("BLEU with large feature sets, dev and test", runs, with_dev=True), output)


def _write(made: Table, output: str) -> None:
    write(made, output)
    print("\n".join(markdown(made)))
    _bars(made, f"{output}.svg")


def _bars(made: Table, path: str) -> None:
    """Draw what every method gains over the untuned weights, a group of bars a column."""
    from matplotlib.figure import Figure

    from campanula.pipelines import plot

    methods = [row for row in made.rows if row != "untuned"]
    figure = Figure(figsize=(1.5 + 1.1 * len(made.columns), 3.4), layout="constrained")
    axes = figure.subplots()
    width = 0.8 / len(methods)
    for number, method in enumerate(methods):
        places = [place + number * width for place in range(len(made.columns))]
        gains = [
            mean(made.rows[method][c]) - mean(made.rows["untuned"][c])
            if c in made.rows[method]
            else 0.0
            for c in made.columns
        ]
        axes.bar(places, gains, width, label=method)
    middle = (len(methods) - 1) * width / 2
    axes.set_xticks([place + middle for place in range(len(made.columns))], made.columns)
    axes.axhline(0.0, color="black", linewidth=0.8)
    axes.set_ylabel("BLEU over untuned")
    axes.legend()
    plot.save(figure, path)


def figure3(runs: Sequence[Run], output: str) -> None:
    """Draw dev against the first test set; write the points as a table, too."""
    from matplotlib.figure import Figure

    from campanula.pipelines import plot

    figure = Figure(figsize=(5.5, 4.0), layout="constrained")
    axes = figure.subplots()
    methods = list(dict.fromkeys(run.method for run in runs))
    starts = list(dict.fromkeys(run.start for run in runs))
    test = next(name for name in runs[0].values if name != "dev")
    rows: dict[str, dict[str, Values]] = {}
    for run in runs:
        dev, values = run.values["dev"], run.values[test]
        color = f"C{methods.index(run.method)}"
        mark = "osv^D"[starts.index(run.start) % 5]
        axes.plot(dev, values, mark, color=color, label=f"{run.method}, {run.start}", alpha=0.8)
        rows[f"{run.method}, {run.start}"] = {"dev": dev, test: values}
    axes.set_xlabel("dev BLEU")
    axes.set_ylabel(f"{test} BLEU")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7)
    plot.save(figure, f"{output}.svg")
    made = Table("BLEU by method and initial model, mean (standard deviation)", ["dev", test], rows)
    write(made, output)
    print("\n".join(markdown(made)))


WHAT: dict[str, Callable[[Sequence[Run], str], None]] = {
    "table1": table1,
    "figure3": figure3,
    "table2": table2,
}


def main() -> None:
    """Read the runs, write what is asked for."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("what", choices=WHAT)
    p.add_argument("runs", nargs="+", metavar="RUN")
    p.add_argument("--output", required=True, metavar="PATH", help="without its ending")
    args = p.parse_args()
    WHAT[args.what]([read(folder) for folder in args.runs], args.output)


if __name__ == "__main__":
    main()
