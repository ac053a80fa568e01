"""Gains that another program made: a number for every hypothesis, in a file or in the lists.

A gain is from 0 to 1.  With limits (low, high) a number low becomes 0 and high becomes 1, and
numbers beyond are cut off.  For numbers of which lower ones are better, high is below low.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import xxhash

from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.errors import DataError, ListError
from campanula.formats.files import display_name
from campanula.formats.records.kbest import KBest
from campanula.formats.records.text_fields import numbers_of_field
from campanula.formats.text.number_column import read_numbers
from campanula.stages.metrics.mean import Mean, in_units

if TYPE_CHECKING:
    from campanula.stages.metrics.sentence import SentenceTexts


class GainColumn(Mean):
    """The metric of such numbers; gain_settings are the limits, or empty."""

    own_name: ClassVar[str] = "gain-column"
    gain_names: ClassVar[tuple[str, ...]] = ("column",)
    compares_texts: ClassVar[bool] = False
    most_settings: ClassVar[int] = 2  # of a range
    takes: ClassVar[tuple[str, ...]] = ()

    def statistics(self, sentence: SentenceTexts) -> Ints:
        """Raise TypeError: statistics come from numbers, by `column_gains`."""
        raise TypeError("gain-column takes numbers, not texts")

    def signature(self) -> tuple[str, ...]:
        """Return no parts: the numbers depend on no setting."""
        return ()


def column_gains(
    lists: Iterable[KBest], numbers: Callable[[KBest], Floats], source: str, limits: Sequence[float]
) -> Iterator[KBest]:
    """Yield the lists with another program's numbers as gains; DataError for one beyond 0 to 1."""
    for kbest in lists:
        gain = numbers(kbest)
        if limits:
            # the range may be upside down, then both differences are negative
            gain = np.clip((gain - limits[0]) / (limits[1] - limits[0]), 0.0, 1.0)
        wrong = np.flatnonzero((gain < 0.0) | (gain > 1.0))
        if len(wrong):
            actual = f"found {gain[wrong[0]]} for hypothesis {wrong[0]}"
            problem = f"expected gains from 0 to 1, {actual} (--gain-range scales others)"
            raise DataError(source, f"sentence {kbest.sid}", problem)
        yield replace(kbest, stats=in_units(gain), gain=gain)


class ListNumbers:
    """Numbers handed out list by list: the lines of a file, or a text field of the lists."""

    def __init__(self, path: str | None, field: str | None, source: str) -> None:
        self._numbers = read_numbers(path) if path is not None else None
        self._name = display_name(path or source)
        self._field = field
        self._source = source
        self._taken = 0

    def digest(self) -> str:
        """Return the numbers' part of a signature: the field's name, or a checksum of the file."""
        if self._numbers is None:
            return f"field {self._field}"
        # of the numbers in a fixed byte order, so `1` and `1.0` give the same, on any machine
        return xxhash.xxh3_64(self._numbers.astype("<f8").tobytes()).hexdigest()

    def __call__(self, kbest: KBest) -> Floats:
        """Return the numbers (n_hyps,) of the next list."""
        if self._numbers is None:
            return self._of_field(kbest, str(self._field))
        numbers = self._numbers[self._taken : self._taken + len(kbest)]
        self._taken += len(kbest)
        if len(numbers) < len(kbest):
            problem = f"expected a number for every hypothesis, found {len(self._numbers)} lines"
            raise DataError(self._name, None, f"{problem}; sentence {kbest.sid} needs more")
        return numbers

    def _of_field(self, kbest: KBest, field: str) -> Floats:
        try:
            return numbers_of_field(kbest, field)
        except ListError as error:
            raise DataError(self._source, f"sentence {kbest.sid}", str(error)) from error

    def finish(self) -> None:
        """Raise DataError if the file has more numbers than there were hypotheses."""
        if self._numbers is not None and self._taken != len(self._numbers):
            problem = f"expected {self._taken} numbers, one for every hypothesis of {self._source}"
            raise DataError(self._name, None, f"{problem}, found {len(self._numbers)}")
