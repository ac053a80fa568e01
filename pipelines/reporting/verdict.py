"""The verdict: a sentence for each data set with values, their difference, its interval, and p."""

from __future__ import annotations

from campanula.stages.comparing.comparison import Comparison, Difference

SURE = 0.05
"""Level of significance: a difference with a p of this or more may be chance."""

WORDS = {
    "better": "is better than",
    "worse": "is worse than",
    "equal": "is as good as",
    "open": "is not significantly different from",
}


def verdict(name: str, comparison: Comparison, difference: Difference) -> str:
    """The sentence on a data set: a system compared with the first."""
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
