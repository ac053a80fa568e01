"""What has come out, in a sentence a data set: values, their difference, its interval, and p."""

from __future__ import annotations

from campanula.stages.comparing.comparison import Comparison, Difference

SURE = 0.05
"""A difference of a higher p is not told apart from chance."""

WORDS = {
    "better": "is better than",
    "worse": "is worse than",
    "equal": "is as good as",
    "open": "is not significantly different from",
}


def verdict(name: str, comparison: Comparison, difference: Difference) -> str:
    """The sentence of a data set: of a system against the first."""
    digits = comparison.digits
    mean = {result.system: result.mean for result in comparison.results}
    before, after = mean[difference.first], mean[difference.second]
    low, high = difference.interval
    values = f"{comparison.metric} {before:.{digits}f} → {after:.{digits}f}"
    interval = f"95 % interval {low:+.{digits}f} to {high:+.{digits}f}"
    chance = (
        f"{difference.value:+.{digits}f}, {interval}, p = {difference.chance.randomisation:.2g}"
    )
    judged = WORDS[direction(comparison, difference)]
    return f"On {name}, {difference.second} {judged} {difference.first}: {values} ({chance})."


def direction(comparison: Comparison, difference: Difference) -> str:
    """`better` or `worse`, `equal`, or `open` where the difference may be chance."""
    better = comparison.improves(difference)
    if better is None:
        return "equal"
    if difference.chance.randomisation >= SURE:
        return "open"
    return "better" if better else "worse"
