"""What there is to know of k-best lists the slow way: one number after another, from plain lists.

A list is a map with `text`, `features` (a map a hypothesis), and perhaps `score` and `gain`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import mean, median
from typing import Any

Listed = dict[str, Any]


def spread(numbers: Sequence[int]) -> dict[str, float] | None:
    """Mean, lowest, median and highest."""
    if not numbers:
        return None
    return {
        "mean": mean(numbers),
        "lowest": min(numbers),
        "median": median(numbers),
        "highest": max(numbers),
    }


def lengths(lists: Sequence[Listed]) -> dict[str, Any]:
    """Lengths of lists and of texts, and what is there twice."""
    texts = [text for one in lists for text in one["text"]]
    repeated = duplicates = 0
    for one in lists:
        rows = [
            (text, {name: value for name, value in row.items() if value != 0.0})
            for text, row in zip(one["text"], one["features"], strict=True)
        ]
        for place, row in enumerate(rows):
            repeated += one["text"][place] in one["text"][:place]
            duplicates += row in rows[:place]
    return {
        "size": spread([len(one["text"]) for one in lists]),
        "different": spread([len(set(one["text"])) for one in lists]),
        "words": spread([len(text.split()) for text in texts]),
        "single": sum(len(one["text"]) == 1 for one in lists),
        "empty": sum(not text.split() for text in texts),
        "repeated": repeated,
        "duplicates": duplicates,
    }


def distance(one: str, other: str) -> int:
    """Word edits that make one text the other."""
    first, second = one.split(), other.split()
    table = [[i + j for j in range(len(second) + 1)] for i in range(len(first) + 1)]
    for i, word in enumerate(first, 1):
        for j, target in enumerate(second, 1):
            table[i][j] = min(
                table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (word != target)
            )
    return table[-1][-1]


def highest(numbers: Sequence[float]) -> int:
    """Place of the highest number, the first of several."""
    return numbers.index(max(numbers))


def choices(lists: Sequence[Listed]) -> dict[str, dict[str, float | None]]:
    """The first hypothesis, that of the highest score, the oracle, of lists that have them."""
    places = {"first": [0] * len(lists)}
    if all(one.get("score") for one in lists):
        places["highest score"] = [highest(one["score"]) for one in lists]
    gains = all(one.get("gain") for one in lists)
    if gains:
        places["oracle"] = [highest(one["gain"]) for one in lists]

    def edits(name: str, target: str) -> float:
        pairs = zip(lists, places[name], places[target], strict=True)
        return mean(distance(one["text"][i], one["text"][j]) for one, i, j in pairs)

    return {
        name: {
            "rank": mean(place + 1 for place in found),
            "first": mean(place == 0 for place in found),
            "gain": mean(o["gain"][p] for o, p in zip(lists, found, strict=True))
            if gains
            else None,
            "edits_to_first": edits(name, "first"),
            "edits_to_oracle": edits(name, "oracle") if gains else None,
        }
        for name, found in places.items()
    }


def oracle_gains(lists: Sequence[Listed]) -> dict[int, float]:
    """Mean gain of the best of the first k, by k."""
    longest = max(len(one["text"]) for one in lists)
    numbers = [f * 10**power for power in range(9) for f in (1, 2, 5)]
    ks = [k for k in numbers if k < longest] + [longest]
    return {k: mean(max(one["gain"][:k]) for one in lists) for k in ks}


def correlation(columns: Iterable[tuple[Sequence[float], Sequence[float]]]) -> float | None:
    """Correlation of two columns in lists, each about its mean; None where one is constant."""
    xy = xx = yy = 0.0
    for xs, ys in columns:
        x_mean = xs[0] if len(set(xs)) == 1 else mean(xs)
        y_mean = ys[0] if len(set(ys)) == 1 else mean(ys)
        for x, y in zip(xs, ys, strict=True):
            xy += (x - x_mean) * (y - y_mean)
            xx += (x - x_mean) ** 2
            yy += (y - y_mean) ** 2
    return xy / math.sqrt(xx * yy) if xx * yy > 0 else None


def features(lists: Sequence[Listed], names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What is to be known of the features of these names; `alike` has every other's correlation."""
    column = {
        name: [[row.get(name, 0.0) for row in one["features"]] for one in lists] for name in names
    }
    several = [i for i, one in enumerate(lists) if len(one["text"]) > 1]
    gains = [one["gain"] for one in lists] if all(one.get("gain") for one in lists) else None
    found = {}
    for name, own in column.items():
        others = {
            other: r
            for other in names
            if other != name
            and (r := correlation(zip(own, column[other], strict=True))) is not None
        }
        values = [value for part in own for value in part]
        found[name] = {
            "lowest": min(values),
            "highest": max(values),
            "constant": mean(len(set(own[i])) == 1 for i in several) if several else None,
            "gain_correlation": None
            if gains is None
            else correlation(zip(own, gains, strict=True)),
            "alike": others,
        }
    return found
