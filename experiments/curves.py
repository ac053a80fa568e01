"""A Markdown table of runs of `tune`: what they come to, and what they took.

    python curves.py RUN...
    python curves.py --each RUN...

A line a run: iterations, mean sentence BLEU on the training text without brevity penalty, corpus
values on the development and test sets under the weights that are kept, METEOR on both, outputs
that were new in the last iteration, and minutes of decoding and of training.  With --each a line an
iteration: what training text, development set, and test sets if they were decoded, come to, run by
run.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any

HEAD = ("run", "iterations", "train", "dev", "test", "METEOR", "new", "decode, min", "train, min")


def history(run: str) -> list[Mapping[str, Any]]:
    """The lines of a run's history."""
    with open(os.path.join(run, "history.jsonl"), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def row(run: str) -> list[str]:
    """The cells of a run."""
    found = history(run)
    last = found[-1]
    kept = next(line for line in found if line["iteration"] == last.get("kept", last["iteration"]))
    final = last.get("tuned", kept)  # with the tests of a run that was tested at the end alone
    tests = ", ".join(f"{value:.2f}" for value in final["test"].values())
    meteor = final.get("also", {}).get("meteor", {})
    seconds = [line["seconds"] for line in found]
    return [
        os.path.basename(run.rstrip("/")),
        str(len(found)),
        number(kept.get("train"), 100.0),
        number(kept["dev"]),
        tests,
        ", ".join(f"{value:.2f}" for value in meteor.values()),
        str(last.get("new", "")),
        *(f"{sum(line.get(phase, 0.0) for line in seconds) / 60:.1f}" for phase in PHASES),
    ]


PHASES = ("decode", "optimise")


def number(value: float | None, scale: float = 1.0) -> str:
    """A number with two digits, nothing for none."""
    return "" if value is None else f"{scale * value:.2f}"


def table(runs: list[str]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield f"| {' | '.join(HEAD)} |"
    yield "|" + "---|" * len(HEAD)
    for run in runs:
        yield f"| {' | '.join(row(run))} |"


def curves(runs: list[str]) -> Iterator[str]:
    """Yield the lines of the table of all iterations."""
    values = {run: {line["iteration"]: line for line in history(run)} for run in runs}
    tests = {
        run: sorted({name for line in values[run].values() for name in tested(line)})
        for run in runs
    }
    heads = ["l"]
    for run in runs:
        heads += [f"{os.path.basename(run.rstrip('/'))}: train", "dev", *tests[run]]
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * len(heads)
    for place in sorted({place for found in values.values() for place in found}):
        cells = [str(place)]
        for run in runs:
            line = values[run].get(place, {})
            cells += [number(line.get("train"), 100.0), number(line.get("dev"))]
            cells += [number(tested(line).get(name)) for name in tests[run]]
        yield f"| {' | '.join(cells)} |"


def tested(line: Mapping[str, Any]) -> Mapping[str, float]:
    """Values of the test sets that were decoded in an iteration."""
    values: Mapping[str, float] = line.get("test", {})
    return values


def main() -> None:
    """Print the table that is asked for."""
    runs = [word for word in sys.argv[1:] if word != "--each"]
    for line in (curves if "--each" in sys.argv else table)(runs):
        print(line)


if __name__ == "__main__":
    main()
