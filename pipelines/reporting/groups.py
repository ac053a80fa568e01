"""How well systems do on groups of sentences or of words: by length, by how frequent a word is."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.stages.metrics.metric import Metric

LENGTHS = (1, 11, 21, 31, 41)
"""Least number of words of the first reference, of each group of sentences."""

FREQUENCIES = (0, 1, 2, 3, 5, 10, 100)
"""Least number of times that a word is in the first references, of each group of words."""

Words = Sequence[str]


@dataclass(frozen=True, slots=True)
class Group:
    """A group by its name, how many sentences or words are in it, and a value a system."""

    name: str
    size: int
    values: Sequence[float]


def by_length(metric: Metric, stats: Sequence[Ints], lengths: Sequence[int]) -> list[Group]:
    """Corpus values of sentences by the length of their first reference; empty groups are left out.

    stats: of every system, (n, replicates, width); the value is the mean of the replicates.
    """
    place = np.array([bisect_right(LENGTHS, max(length, 1)) - 1 for length in lengths])
    found = []
    for group, name in enumerate(names(LENGTHS)):
        chosen = place == group
        if chosen.any():
            sums = [system[chosen].sum(axis=0) for system in stats]
            values = [float(np.mean([metric.report(row).value for row in s])) for s in sums]
            found.append(Group(name, int(chosen.sum()), values))
    return found


def by_frequency(references: Sequence[Words], systems: Sequence[Sequence[Words]]) -> list[Group]:
    """F1 in percent of words by how often the first references have them.

    systems: the words of every sentence's translation, of every system.  A word counts as often in
    a sentence as its reference has it.
    """
    frequency = Counter(word for words in references for word in words)
    sizes = [0] * len(FREQUENCIES)
    for word, count in frequency.items():
        sizes[_group(frequency, word)] += count
    values = [_f1(frequency, references, outputs) for outputs in systems]
    return [
        Group(name, sizes[group], [system[group] for system in values])
        for group, name in enumerate(names(FREQUENCIES))
        if sizes[group]
    ]


def _f1(
    frequency: Counter[str], references: Iterable[Words], outputs: Iterable[Words]
) -> list[float]:
    """F1 of each group of words."""
    hits, wanted, said = ([0] * len(FREQUENCIES) for _ in range(3))
    for reference, output in zip(references, outputs, strict=True):
        expected, found = Counter(reference), Counter(output)
        for counts, sums in ((expected & found, hits), (expected, wanted), (found, said)):
            for word, count in counts.items():
                sums[_group(frequency, word)] += count
    both = zip(hits, wanted, said, strict=True)
    return [200.0 * hit / (want + say) if want + say else 0.0 for hit, want, say in both]


def _group(frequency: Counter[str], word: str) -> int:
    return bisect_right(FREQUENCIES, frequency[word]) - 1


def names(least: Sequence[int]) -> list[str]:
    """Names of groups: `1 to 10`, ..., `41 and more`."""
    ends = [start - 1 for start in least[1:]]
    named = [str(a) if a == b else f"{a} to {b}" for a, b in zip(least, ends, strict=False)]
    return [*named, f"{least[-1]} and more"]
