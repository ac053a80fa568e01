"""Tables of Wuebker et al. (2015), of runs of `tune expected-bleu`.

expected-bleu-table2        a row for each run, and one for the first run's baseline: tau, eta and t
that were chosen, expected BLEU, corpus BLEU of each run of MERT, p against the baseline
expected-bleu-figure2       expected BLEU by iteration, a column for each run
expected-bleu-efficiency    seconds and memory of the update strategies, from the file of
`bench_expected_bleu --json`
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from glob import glob
from pathlib import Path

from experiments import runs as folders
from experiments.comparison import compare
from experiments.runs import Line, lines_of, name_of
from experiments.tables import Cell, Table

SETS = ("dev", "selection", "test")
CHOSEN = ("tau", "eta", "t")


def kept(run: str) -> Line:
    """The line of the system that a run keeps."""
    return next(line for line in lines_of(run, "history.jsonl") if line.get("kept"))


def seconds(run: str, line: Line) -> list[float]:
    """Seconds of training the system that a run keeps; none where another run trained it.

    Runs with a common cache train a system once.
    """
    eta = "" if line["eta"] is None else f", eta {line['eta']}"
    step = f"{line['system']}, tau {line['tau']}{eta}"
    steps = [one["seconds"] for one in lines_of(run, "seconds.jsonl") if one["step"] == step]
    return [steps[0]["optimise"]] if steps else []


def row(run: str) -> dict[str, Cell]:
    """The cells of a run."""
    line = kept(run)
    chosen = {"tau": line["tau"], "eta": line["eta"], "t": line["iteration"]}
    features = line.get("features")
    cells: dict[str, Cell] = {"features": [] if features is None else [features]}
    cells |= {name: "" if value is None else str(value) for name, value in chosen.items()}
    cells |= {"expected BLEU": [line["expected_bleu"]], "s": seconds(run, line)}
    return cells | {name: line.get(name, ()) for name in SETS}


def outputs(folder: str, replicates: str) -> list[str]:
    """Paths of the test set's outputs, one for each run of MERT; replicates: a pattern."""
    return sorted(glob(f"{folder}/{replicates}"))


def table2(runs: Sequence[str], refs: Sequence[str]) -> Table:
    """Return Table 2: the baseline's row, then a row for each run."""
    rows: dict[str, dict[str, Cell]] = {}
    signatures: dict[str, str] = {}
    if runs:
        # a history begins with the baseline; of several runs the first one's stands for all
        first = lines_of(runs[0], "history.jsonl")[0]
        rows["baseline"] = {name: first.get(name, ()) for name in SETS}
        tests = {"baseline": outputs(f"{runs[0]}/baseline", "replicate-*/test.out")}
        # with one run of MERT its output is in the folder itself
        tests["baseline"] = tests["baseline"] or outputs(f"{runs[0]}/baseline", "test.out")
        for run in runs:
            rows[name_of(run)] = row(run)
            tests[name_of(run)] = outputs(run, "test.[0-9]*.out") or outputs(run, "test.out")
            signatures[name_of(run)] = folders.signature(run)
        # one call for all systems, the baseline first: p is against the first
        (bleu,) = compare(tests, refs)
        signatures["BLEU"] = bleu.signature
        for name in rows:
            rows[name]["p"] = bleu.p(name)
    columns = ["features", *CHOSEN, "expected BLEU", *SETS, "p", "s"]
    figure = {"kind": "bars", "columns": list(SETS), "over": "baseline"}
    figure |= {"label": "BLEU over the baseline", "plain": ["features", "s", "expected BLEU"]}
    title = "BLEU over runs of MERT, mean (standard deviation), p against the baseline"
    digits = {"features": 0, "expected BLEU": 4, "s": 1}
    return Table(title, columns, rows, signatures, figure, digits)


def curve(run: str) -> dict[int, float]:
    """Expected BLEU by iteration, under the tau and eta of the system that a run keeps."""
    line = kept(run)
    point = {name: line[name] for name in ("tau", "eta")}
    return {
        # the file has a curve for each tau and eta that was tried
        entry["iteration"]: entry["expected_bleu"]
        for entry in lines_of(run, "training.jsonl")
        if {name: entry[name] for name in point} == point
    }


def figure2(runs: Sequence[str]) -> Table:
    """Return the table of Figure 2: a row for each iteration, a column for each run."""
    curves = {name_of(run): curve(run) for run in runs}
    iterations = sorted({t for values in curves.values() for t in values})
    rows: dict[str, dict[str, Cell]] = {
        str(t): {name: [values[t]] for name, values in curves.items() if t in values}
        for t in iterations
    }
    figure = {"kind": "curves", "columns": list(curves), "rows": "iteration t"}
    figure |= {"label": "expected BLEU", "plain": list(curves)}
    signatures = {name_of(run): folders.signature(run) for run in runs}
    digits = dict.fromkeys(curves, 4)
    return Table("Expected BLEU by iteration", list(curves), rows, signatures, figure, digits)


def efficiency(paths: Sequence[str]) -> Table:
    """Time and memory of each update strategy, and their ratios to those of RPROP."""
    (path,) = paths
    measured = json.loads(Path(path).read_text(encoding="utf-8"))
    base = measured["rows"]["rprop"]
    names = ("seconds", "CPU s", "MB")
    rows: dict[str, dict[str, Cell]] = {}
    for name, values in measured["rows"].items():
        rows[name] = {column: [value] for column, value in zip(names, values, strict=True)}
        rows[name] |= {"/ rprop": [values[0] / base[0]], "MB / rprop": [values[2] / base[2]]}
    columns = ["seconds", "/ rprop", "CPU s", "MB", "MB / rprop"]
    title = f"{measured['iterations']} iterations, {measured['jobs']} threads: time and memory"
    figure = {"kind": "bars", "columns": ["/ rprop", "MB / rprop"], "label": "times RPROP's"}
    figure |= {"plain": columns}
    digits = {"seconds": 1, "CPU s": 1, "MB": 0}
    return Table(title, columns, rows, {"lists": measured["lists"]}, figure, digits)
