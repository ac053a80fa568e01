"""Systems under a metric that another program computes: a number for every sentence of a file.

The corpus value is the mean.  Numbers may have any range; they are kept to nine decimals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.text.number_column import read_numbers
from campanula.stages.comparing.scored_outputs import ScoredOutputs
from campanula.stages.metrics.gain_column import GainColumn
from campanula.stages.metrics.mean import in_units
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.report import Report

LARGEST = 1e6  # a sum of so many stays far below 2^63


class Costs(GainColumn):
    """Numbers of which lower ones are better: gains and values are the numbers negated."""

    higher_is_better: ClassVar[bool] = False

    def sentence_gains(self, stats: Ints) -> Floats:
        """Return the numbers negated, (n,)."""
        return -super().sentence_gains(stats)

    def corpus_values(self, sums: Ints) -> Floats:
        """Return the means negated, (m,)."""
        return -super().corpus_values(sums)

    def report(self, sums: npt.ArrayLike) -> Report:
        """Return the mean as the user knows it, not negated."""
        value = -float(self.corpus_values(np.asarray(sums)[None])[0])
        return Report(self.name, self.signature(), value, f"{value:.{self.digits}f}")


def metric_of_numbers(name: str, lower_is_better: bool = False) -> Metric:
    """Return the metric `name`, the mean of numbers."""
    return replace(Costs() if lower_is_better else GainColumn(), name=name, n_refs=0)


def read_columns(paths: Sequence[str], expected: int | None, like: str) -> list[Floats]:
    """Return the numbers (n,) of each file, one a line; raises DataError, which names the line.

    expected: number of lines, that of the file `like`; None for that of the first file.
    """
    columns: list[Floats] = []
    for path in paths:
        numbers = read_numbers(path)
        name = display_name(path)
        if expected is None:
            expected = len(numbers)
            like = name
        if len(numbers) != expected:
            problem = f"expected {expected} lines, as {like} has, found {len(numbers)}"
            raise DataError(name, None, problem)
        if not expected:
            raise DataError(name, None, "expected at least one line, found none")
        large = np.flatnonzero(np.abs(numbers) > LARGEST)
        if len(large):
            problem = f"expected a number within +-{LARGEST:.0f}, found {numbers[large[0]]:g}"
            raise DataError(name, f"line {large[0] + 1}", problem)
        columns.append(numbers)
    return columns


def scored_numbers(metric: Metric, columns: Sequence[Floats]) -> ScoredOutputs:
    """Return files of outputs scored by numbers, a column (n,) for each file."""
    stats = np.stack([in_units(numbers) for numbers in columns], axis=1)
    # file by file, since a metric takes statistics (n, width) only
    gain = np.stack([metric.sentence_gains(part) for part in np.moveaxis(stats, 1, 0)], axis=1)
    return ScoredOutputs(metric, stats, gain)
