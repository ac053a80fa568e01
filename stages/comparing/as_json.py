"""The outcome of a comparison as one line of JSON, in full precision."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from campanula.stages.comparing.comparison import Comparison, Difference, Result


def as_json(
    comparisons: Sequence[Comparison],
    files: Mapping[str, Sequence[str]],
    sentences: Callable[[Comparison], Sequence[object]] | None = None,
) -> str:
    """Return a JSON list with an object for each metric.

    files: paths by system.  sentences: returns the most changed sentences of a comparison.
    """
    objects = [_comparison(comparison, files) for comparison in comparisons]
    if sentences is not None:
        for comparison, of_metric in zip(comparisons, objects, strict=True):
            of_metric["sentences"] = sentences(comparison)
    return json.dumps(objects, ensure_ascii=False)


def _comparison(comparison: Comparison, files: Mapping[str, Sequence[str]]) -> dict[str, object]:
    """Return the object of a metric; differences to the first system are also in the systems."""
    first = comparison.results[0].system
    against = {pair.second: pair for pair in comparison.differences if pair.first == first}
    return {
        "metric": comparison.metric,
        "signature": comparison.signature,
        "higher_is_better": comparison.higher_is_better,
        "samples": comparison.sampling.samples,
        "trials": comparison.sampling.trials,
        "seed": comparison.sampling.seed,
        "systems": [
            _system(result, files[result.system], against.get(result.system))
            for result in comparison.results
        ],
        "differences": [_difference(comparison, pair) for pair in comparison.differences],
    }


def _system(result: Result, files: Sequence[str], against: Difference | None) -> dict[str, object]:
    """Return the object of a system, with its difference to the first system in short."""
    return {
        "name": result.system,
        "files": files,
        "values": result.values,
        "mean": result.mean,
        "sd": result.deviation,
        "interval": result.interval,
        "difference": against.value if against else None,
        "bootstrap_p": against.chance.bootstrap if against else None,
        "randomisation_p": against.chance.randomisation if against else None,
    }


def _difference(comparison: Comparison, difference: Difference) -> dict[str, object]:
    return {
        "first": difference.first,
        "second": difference.second,
        "difference": difference.value,
        "interval": difference.interval,
        "improves": comparison.improves(difference),
        "differing": difference.chance.differing,
        "bootstrap_p": difference.chance.bootstrap,
        "randomisation_p": difference.chance.randomisation,
        "randomisation_exact": difference.chance.exact,
        "holm_p": difference.holm,
    }
