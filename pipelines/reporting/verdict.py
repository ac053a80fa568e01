"""What has come out, in a sentence a data set: values, their difference, its interval, and p."""

from __future__ import annotations

from campanula.stages.comparing.comparison import Comparison, Difference

SURE = 0.05
"""A difference of a higher p is not told apart from chance."""


def verdict(name: str, comparison: Comparison, difference: Difference) -> str:
    """The sentence of a data set: of a system against the first."""
    digits = comparison.digits
    mean = {result.system: result.mean for result in comparison.results}
    before, after = mean[difference.first], mean[difference.second]
    low, high = difference.interval
    values = f"{comparison.metric} {after:.{digits}f}, not {before:.{digits}f}"
    interval = f"95 % interval {low:+.{digits}f} to {high:+.{digits}f}"
    chance = (
        f"{difference.value:+.{digits}f}, {interval}, p = {difference.chance.randomisation:.2g}"
    )
    return f"{name}: {difference.second} {_word(comparison, difference)}: {values} ({chance})."


def _word(comparison: Comparison, difference: Difference) -> str:
    better = comparison.improves(difference)
    if better is None:
        return f"is as good as {difference.first}"
    word = "better" if better else "worse"
    if difference.chance.randomisation >= SURE:
        return f"is not told apart from {difference.first}"
    return f"is {word} than {difference.first}"
