"""Values of systems on groups: of sentences by length, of words by frequency."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.stages.metrics.metric import Metric

LENGTHS = (1, 11, 21, 31, 41)
"""Least number of words of the first reference for each group of sentences."""

FREQUENCIES = (0, 1, 2, 3, 5, 10, 100)
"""Least number of times that a word is in the first references for each group of words."""

Words = Sequence[str]


@dataclass(frozen=True, slots=True)
class Group:
    """A group: its name, its number of sentences or words, and a value for each system."""

    name: str
    size: int
    values: Sequence[float]


def by_length(metric: Metric, stats: Sequence[Ints], lengths: Sequence[int]) -> list[Group]:
    """Corpus values of sentences by the length of their first reference; without empty groups.

    stats: of every system, (n, replicates, width); a value is the mean of the replicates.
    """
    # max: an empty reference would be in group -1, which is none, and its sentence be left out
    group_of = np.array([bisect_right(LENGTHS, max(length, 1)) - 1 for length in lengths])
    groups = []
    for group, name in enumerate(names(LENGTHS)):
        chosen = group_of == group
        if chosen.any():
            # statistics are summed first: a corpus value is no mean of sentence values
            sums = [system[chosen].sum(axis=0) for system in stats]
            values = [float(np.mean([metric.report(row).value for row in s])) for s in sums]
            groups.append(Group(name, int(chosen.sum()), values))
    return groups


def by_frequency(references: Sequence[Words], systems: Sequence[Sequence[Words]]) -> list[Group]:
    """F1 in percent of words by how often the first references have them.

    systems: for every system the words of each translation.  A word of a translation is right at
    most as many times as the reference of its sentence has the word.
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
    """F1 in percent of each group of words, 0 for a group without words."""
    matches, in_references, in_outputs = ([0] * len(FREQUENCIES) for _ in range(3))
    for reference, output in zip(references, outputs, strict=True):
        expected = Counter(reference)
        actual = Counter(output)
        pairs = ((expected & actual, matches), (expected, in_references), (actual, in_outputs))
        for counts, sums in pairs:
            for word, count in counts.items():
                sums[_group(frequency, word)] += count
    groups = zip(matches, in_references, in_outputs, strict=True)
    # F1 = 2 match / (words of references + words of outputs)
    return [200.0 * match / (ref + out) if ref + out else 0.0 for match, ref, out in groups]


def _group(frequency: Counter[str], word: str) -> int:
    """Index of a word's group in FREQUENCIES."""
    return bisect_right(FREQUENCIES, frequency[word]) - 1


def names(least: Sequence[int]) -> list[str]:
    """Names of groups: `1 to 10`, ..., `41 and more`."""
    ends = [start - 1 for start in least[1:]]
    # not strict: the last group has no end
    named = [str(a) if a == b else f"{a} to {b}" for a, b in zip(least, ends, strict=False)]
    return [*named, f"{least[-1]} and more"]
