"""Markdown tables of runs of `tune expected-bleu`: Wuebker et al. 2015, Table 2 and Figure 2.

    python expected_bleu.py RUN...
    python expected_bleu.py --curves RUN...

A line a run, and one for the baseline of the first: features with a weight, tau, eta and t that
were chosen, expected BLEU, and means and standard deviations of corpus BLEU over the runs of MERT;
seconds of the training.  With --curves a line an iteration: expected BLEU, run by run.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from statistics import mean, stdev
from typing import Any

Line = Mapping[str, Any]
HEAD = ("run", "features", "tau", "eta", "t", "expected BLEU", "dev", "selection", "test", "s")


def lines_of(run: str, name: str) -> list[Line]:
    """Lines of a file of a run."""
    with open(os.path.join(run, name), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def name_of(run: str) -> str:
    """The name of a run."""
    return os.path.basename(run.rstrip("/"))


def values(line: Line, name: str) -> str:
    """Mean and standard deviation over the runs of MERT, nothing for what was not measured."""
    found: Sequence[float] = line.get(name, ())
    if not found:
        return ""
    deviation = f" ± {stdev(found):.2f}" if len(found) > 1 else ""
    return f"{mean(found):.2f}{deviation}"


def kept(run: str) -> Line:
    """The line of the system that a run keeps."""
    return next(line for line in lines_of(run, "history.jsonl") if line.get("kept"))


def seconds(run: str, line: Line) -> str:
    """Seconds of the training of the system that a run keeps."""
    eta = "" if line["eta"] is None else f", eta {line['eta']}"
    step = f"{line['system']}, tau {line['tau']}{eta}"
    found = [one["seconds"] for one in lines_of(run, "seconds.jsonl") if one["step"] == step]
    return f"{found[0]['optimise']:.1f}" if found else ""


def row(run: str) -> list[str]:
    """The cells of a run."""
    line = kept(run)
    corpus = [values(line, name) for name in ("dev", "selection", "test")]
    cells = [line.get("features"), line["tau"], line["eta"], line["iteration"]]
    shown = ["" if cell is None else str(cell) for cell in cells]
    return [name_of(run), *shown, f"{line['expected_bleu']:.4f}", *corpus, seconds(run, line)]


def table(runs: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield f"| {' | '.join(HEAD)} |"
    yield "|" + "---|" * len(HEAD)
    baseline = lines_of(runs[0], "history.jsonl")[0]
    corpus = [values(baseline, name) for name in ("dev", "selection", "test")]
    yield f"| {' | '.join(['baseline', *[''] * 5, *corpus, ''])} |"
    for run in runs:
        yield f"| {' | '.join(row(run))} |"


def curve(run: str) -> dict[int, float]:
    """Expected BLEU by iteration, under the tau and eta of the system that a run keeps."""
    line = kept(run)
    point = {name: line[name] for name in ("tau", "eta")}
    return {
        found["iteration"]: found["expected_bleu"]
        for found in lines_of(run, "training.jsonl")
        if {name: found[name] for name in point} == point
    }


def curves(runs: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the table of all iterations."""
    found = [curve(run) for run in runs]
    yield f"| t | {' | '.join(map(name_of, runs))} |"
    yield "|" + "---|" * (len(runs) + 1)
    for t in range(1, max(max(one, default=0) for one in found) + 1):
        cells = (f"{one[t]:.4f}" if t in one else "" for one in found)
        yield f"| {t} | {' | '.join(cells)} |"


def main(argv: list[str]) -> None:
    """Print the table, or with --curves that of the iterations."""
    if argv[:1] == ["--curves"]:
        print("\n".join(curves(argv[1:])))
    else:
        print("\n".join(table(argv)))


if __name__ == "__main__":
    main(sys.argv[1:])
