"""The outcome of a comparison, as a table to read and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from campanula.stages.comparing.comparison import Comparison, Result
from campanula.stages.comparing.systems import System

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
    digits = comparison.digits
    sd = "" if result.deviation is None else f"{result.deviation:.{digits}f}"
    start = (result.system, str(len(result.values)), f"{result.mean:.{digits}f}", sd)
    if result.chance is None:
        return (*start, "", "", "")
    p = (f"{result.chance.bootstrap:.4f}", f"{result.chance.randomisation:.4f}")
    return (*start, f"{comparison.difference(result):+.{digits}f}", *p)


def as_json(comparisons: Sequence[Comparison], systems: Sequence[System]) -> str:
    """The same as one line of JSON, in full precision, with the files of the systems."""
    files = {system.name: system.paths for system in systems}
    objects = [_object(comparison, files) for comparison in comparisons]
    return json.dumps(objects, ensure_ascii=False)


def _object(comparison: Comparison, files: Mapping[str, Sequence[str]]) -> dict[str, object]:
    return {
        "metric": comparison.metric,
        "signature": comparison.signature,
        "higher_is_better": comparison.higher_is_better,
        "systems": [
            {
                "name": result.system,
                "files": files[result.system],
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
