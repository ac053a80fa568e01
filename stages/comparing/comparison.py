"""The outcome of a comparison, as a table to read and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from campanula.stages.comparing.significance import Chance
from campanula.stages.comparing.systems import System


@dataclass(frozen=True, slots=True)
class Result:
    """One system under one metric: the value of every replicate; None for the baseline's chance."""

    system: System
    values: tuple[float, ...]
    chance: Chance | None

    @property
    def mean(self) -> float:
        """Mean of the replicates."""
        return float(np.mean(self.values))

    @property
    def deviation(self) -> float | None:
        """Standard deviation over the replicates (n - 1 below), where there are several."""
        return float(np.std(self.values, ddof=1)) if len(self.values) > 1 else None


@dataclass(frozen=True, slots=True)
class Comparison:
    """One metric: its name, its signature, and the results; the first is the baseline's."""

    metric: str
    signature: str
    higher_is_better: bool
    results: Sequence[Result]

    def difference(self, result: Result) -> float:
        """How far a result is above the baseline's."""
        return result.mean - self.results[0].mean


HEADING = ("system", "files", "mean", "sd", "diff", "bootstrap p", "randomisation p")


def table(comparisons: Sequence[Comparison]) -> Iterator[str]:
    """Yield the lines of one table a metric, with its signature above."""
    for i, comparison in enumerate(comparisons):
        if i:
            yield ""
        better = "" if comparison.higher_is_better else " (lower is better)"
        yield f"{comparison.signature}{better}"
        rows = [HEADING, *(_row(comparison, result) for result in comparison.results)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for name, *cells in rows:
            padded = (cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
            yield "  ".join([name.ljust(widths[0]), *padded]).rstrip()


def _row(comparison: Comparison, result: Result) -> tuple[str, ...]:
    sd = "" if result.deviation is None else f"{result.deviation:.2f}"
    start = (result.system.name, str(len(result.values)), f"{result.mean:.2f}", sd)
    if result.chance is None:
        return (*start, "", "", "")
    p = (f"{result.chance.bootstrap:.4f}", f"{result.chance.randomisation:.4f}")
    return (*start, f"{comparison.difference(result):+.2f}", *p)


def as_json(comparisons: Sequence[Comparison]) -> str:
    """The same as one line of JSON, in full precision."""
    return json.dumps([_object(comparison) for comparison in comparisons], ensure_ascii=False)


def _object(comparison: Comparison) -> dict[str, object]:
    return {
        "metric": comparison.metric,
        "signature": comparison.signature,
        "higher_is_better": comparison.higher_is_better,
        "systems": [
            {
                "name": result.system.name,
                "files": result.system.paths,
                "values": result.values,
                "mean": result.mean,
                "sd": result.deviation,
                "difference": comparison.difference(result) if result.chance else None,
                "bootstrap_p": result.chance.bootstrap if result.chance else None,
                "randomisation_p": result.chance.randomisation if result.chance else None,
            }
            for result in comparison.results
        ],
    }
