"""Jumps between neighbouring units of a word-aligned pair, and a distortion table, by dictionaries.

A pair is (source words, target words, links as a set of (source place, target place)).
"""

from __future__ import annotations

from collections import Counter

Pair = tuple[list[str], list[str], set[tuple[int, int]]]


def units(pair: Pair) -> list[set[int]]:
    """Source places of the units, in the order of the target: all that overlap are one."""
    found: list[set[int]] = []
    for t in range(len(pair[1])):
        places = {s for s, linked in pair[2] if linked == t}
        if not places:
            continue
        found.append(set(range(min(places), max(places) + 1)))
        while len(found) > 1 and found[-1] & found[-2]:
            last = found.pop()
            found[-1] = set(range(min(found[-1] | last), max(found[-1] | last) + 1))
    return found


def jumps(pair: Pair) -> list[tuple[str, str, int]]:
    """Word before, word after, and how far: 0 if they stand side by side."""
    result = []
    before, end = "<s>", 0
    for unit in units(pair):
        result.append((before, pair[0][min(unit)], min(unit) - end))
        before, end = pair[0][max(unit)], max(unit) + 1
    return result


def table(pairs: list[Pair], m: float, far: int) -> dict[tuple[str, str, int], float]:
    """p(jump | word) by (side, word, jump); the word "" is that of all words."""
    found = [jump for pair in pairs for jump in jumps(pair)]
    seen = Counter(max(-far, min(far, d)) for _, _, d in found)
    every = [d for d in range(-far, far + 1) if d != -1]
    total = sum(seen[d] + 1 for d in every)
    p = {d: (seen[d] + 1) / total for d in every}
    result = {}
    befores, afters = [before for before, _, _ in found], [after for _, after, _ in found]
    for side, words in (("outbound", befores), ("inbound", afters)):
        own = Counter(
            (word, max(-far, min(far, d))) for word, (*_, d) in zip(words, found, strict=True)
        )
        count = Counter(words)
        for d in every:
            result[side, "", d] = p[d]
            for word in count:
                result[side, word, d] = (own[word, d] + m * p[d]) / (count[word] + m)
    return result
