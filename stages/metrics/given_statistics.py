"""Statistics of a metric that another program made: whole numbers, a line for every hypothesis.

They are in the metric's own order, which `show` prints.  Gain and corpus value follow from them as
from the statistics that the metric counts itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import xxhash

from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError
from campanula.formats.files import display_name, read_lines
from campanula.formats.records.kbest import KBest
from campanula.formats.text.numbers import whole_number
from campanula.stages.metrics.metric import Metric

LARGEST = 1 << 40  # a number: sums over millions of sentences stay below 2^63


@dataclass(frozen=True, slots=True)
class GivenStatistics:
    """The statistics (n_lines, width) of a file."""

    name: str
    metric: Metric
    stats: Ints

    @classmethod
    def read(cls, path: str, metric: Metric) -> GivenStatistics:
        """Read a file; raises DataError that names the line."""
        name = display_name(path)
        width = metric.width
        rows = [_row(name, n, line, width) for n, line in enumerate(read_lines(path), 1)]
        stats = np.array(rows, np.int64).reshape(len(rows), width)
        wrong = np.flatnonzero(~metric.possible(stats))
        if len(wrong):
            expected = f"expected statistics of {metric.name} that a text can have"
            raise DataError(name, f"line {wrong[0] + 1}", f"{expected}, found {rows[wrong[0]]}")
        return cls(name, metric, stats)

    def digest(self) -> str:
        """Return the checksum of the numbers."""
        return xxhash.xxh3_64(self.stats.astype("<i8").tobytes()).hexdigest()

    def score(self, lists: Iterable[KBest]) -> Iterator[KBest]:
        """Yield every list with its statistics and gains; raises DataError unless all are used."""
        taken = 0
        for kbest in lists:
            stats = self.stats[taken : taken + len(kbest)]
            taken += len(kbest)
            if len(stats) < len(kbest):
                problem = f"expected a line for every hypothesis, found {len(self.stats)}"
                raise DataError(self.name, None, f"{problem}; sentence {kbest.sid} needs more")
            gain = self.metric.sentence_gains(stats)
            if self.metric.silence is not None:
                # as `Scorer` does: an empty text has the metric's gain of silence whatever its
                # statistics say
                empty = [j for j, text in enumerate(kbest.text) if not text.strip()]
                gain[empty] = self.metric.silence
            yield replace(kbest, stats=stats, gain=gain)
        if taken != len(self.stats):
            problem = f"expected {taken} lines, one for every hypothesis, found {len(self.stats)}"
            raise DataError(self.name, None, problem)


def _row(name: str, number: int, line: str, width: int) -> list[int]:
    """Return the numbers of a line; raises DataError for another number of them, or others."""
    words = line.split()
    whole = all(whole_number(word) is not None for word in words)
    if len(words) != width or not whole or max(map(int, words), default=0) > LARGEST:
        problem = f"expected {width} whole numbers, found {line[:80]!r}"
        raise DataError(name, f"line {number}", problem)
    return [int(word) for word in words]
