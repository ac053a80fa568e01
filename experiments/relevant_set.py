"""Tables and learning curves of Tillmann and Zhang, from runs of `tune relevant-set`, `tune mert`.

A table has a row for each run.  `train` is the mean sentence BLEU on the training text without
brevity penalty, in percent, of the last iteration.  dev and test (all tests joined to one set) are
corpus values under the kept weights.  A figure has a row for each iteration.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from campanula.stages.metrics.metric import PERCENT
from experiments import runs as folders
from experiments.comparison import compare
from experiments.runs import Line
from experiments.tables import Cell, Table

TITLES = {
    "table5": "Binary features: training text, tests",
    "table6": "Dense features (a) to (f)",
    "table7": "Dense features (a) to (g)",
    "table8": "Word error rate as criterion, of which dev is then",
    "table9": "Binary and dense features in two stages",
    "steps": "Leave-one-out, step and update",
    "figure2": "Learning curves of Costmargin, binary features, SWAP",
    "figure3": "Learning curves of Costmargin, binary features, SWAP, with the language model",
    "figure4": "Learning curves of Costmargin, dense features (a) to (g)",
    "figure5": "Learning curves of the perceptron, dense features (a) to (g)",
    "figure6": "Learning curves of MERT, dense features (a) to (f)",
}
# First and last values in the paper's text (of Figure 2 in VI-A, of Figure 4 in VI-C), percent.
ENDS = {
    "figure2": {"the paper's train": ((1, 19.0), (30, 46.0)), "its test": ((1, 8.0), (30, 35.5))},
    "figure4": {"the paper's dev": ((1, 29.5), (30, 31.9)), "its test": ((1, 43.1), (30, 44.8))},
}


def table(name: str, runs: Sequence[str], refs: Sequence[str]) -> Table:
    """A row for each run: BLEU, its 95 % interval, METEOR, iterations, minutes."""
    columns = ["train", "dev", "test BLEU", "95 %", "METEOR", "iterations", "minutes"]
    rows: dict[str, dict[str, Cell]] = {}
    signatures: dict[str, str] = {}
    outputs = {folders.name_of(run): [str(Path(run) / "test.out")] for run in runs}
    bleu, meteor = compare(outputs, refs, ("bleu", "meteor")) if runs else (None, None)
    for run in runs:
        own = folders.name_of(run)
        lines = folders.lines_of(run, "history.jsonl")
        kept = lines[-1].get("kept", lines[-1]["iteration"])
        # of a run that is not done no weights are kept yet: its last line stands in
        final = next((line for line in lines if line["iteration"] == kept), lines[-1])
        train = [100.0 * lines[-1]["train"]] if "train" in lines[-1] else ""
        seconds = sum(sum(line["seconds"].values()) for line in lines)
        rows[own] = {"train": train, "dev": [lines[-1].get("tuned", final)["dev"]]}
        rows[own] |= {"iterations": [len(lines)], "minutes": [seconds / 60]}
        if bleu and meteor:
            rows[own] |= {"test BLEU": bleu.systems[own]["values"], "95 %": bleu.interval(own)}
            rows[own] |= {"METEOR": meteor.systems[own]["values"]}
        signatures[own] = folders.signature(run)
    if bleu and meteor:
        signatures |= {"BLEU": bleu.signature, "METEOR": meteor.signature}
    figure = {"kind": "bars", "columns": ["dev", "test BLEU"], "label": "percent"}
    # dev has the metric that a run was tuned on, which differs in Table VIII: no value is the best
    figure |= {"plain": ["iterations", "minutes", *(["dev"] if name == "table8" else [])]}
    digits = {"iterations": 0, "minutes": 1}
    return Table(TITLES[name], columns, rows, signatures, figure, digits)


def figure(name: str, runs: Sequence[str]) -> Table:
    """A row for each iteration, a column for each curve; of several runs with the run's name."""
    values = {run: folders.lines_of(run, "history.jsonl") for run in runs}
    columns: list[str] = []
    rows: dict[int, dict[str, Cell]] = {}
    for run, lines in values.items():
        before = f"{folders.name_of(run)}: " if len(runs) > 1 else ""
        for line in lines:
            for curve, value in curves_of(line).items():
                if f"{before}{curve}" not in columns:
                    columns.append(f"{before}{curve}")
                rows.setdefault(line["iteration"], {})[f"{before}{curve}"] = [value]
    by_number = {str(number): rows[number] for number in sorted(rows)}
    drawn: dict[str, Any] = {
        "kind": "curves",
        "columns": columns,
        "rows": "iteration l",
        "label": "BLEU, %",
    }
    drawn |= {"bounds": [*PERCENT]}
    drawn |= {"ends": ENDS[name]} if name in ENDS else {}
    drawn |= {"plain": columns}
    signatures = {folders.name_of(run): folders.signature(run) for run in runs}
    return Table(TITLES[name], columns, by_number, signatures, drawn)


def curves_of(line: Line) -> dict[str, float]:
    """Values of an iteration in percent: training text, dev, tests."""
    train = {"train": 100.0 * line["train"]} if line.get("train") is not None else {}
    return {**train, "dev": line["dev"], **line.get("test", {})}
