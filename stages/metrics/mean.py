"""Metrics whose corpus value is the mean of sentence gains; one's own in a few lines.

    def first_word(hypothesis: str, references: Sequence[str]) -> float:
        return float(any(ref.split()[:1] == hypothesis.split()[:1] for ref in references))

    METRICS.add("first-word", first_word)

A function of a text and its references is a metric.  In an installed package it gets its name by an
entry point, and then every command knows it:

    [project.entry-points."campanula.metrics"]
    first-word = "my_package:first_word"
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.errors import DataError
from campanula.stages.metrics.metric import LOWERCASE, TOKENIZE, Metric, Report

if TYPE_CHECKING:
    from campanula.stages.metrics.sentence import Sentence

GainFunction: TypeAlias = Callable[[str, Sequence[str]], float]
"""Gain of a hypothesis, given its references: a finite number of at most 1, the best."""

UNIT = 1_000_000_000  # gains add up as whole numbers, in parts of 1/UNIT
LOWEST = -1e6  # a sum of so many stays far below 2^63


@dataclass(frozen=True)
class Mean(Metric):
    """Statistics are the gain in units of 1/UNIT, and 1."""

    width: ClassVar[int] = 2
    silence: ClassVar[float | None] = None
    digits: ClassVar[int] = 4

    def sentence_gains(self, stats: Ints) -> Floats:
        """The gain itself."""
        return stats[:, 0] / UNIT

    def corpus_values(self, sums: Ints) -> Floats:
        """Means; 0 of nothing."""
        total, count = sums[:, 0] / UNIT, sums[:, 1]
        return np.divide(total, count, out=np.zeros(len(sums)), where=count > 0)

    def report(self, sums: npt.ArrayLike) -> Report:
        """The mean."""
        value = float(self.corpus_values(np.asarray(sums)[None])[0])
        return Report(self.name, self.signature(), value, f"{value:.{self.digits}f}")

    @abstractmethod
    def signature(self) -> tuple[str, ...]:
        """Parts of the signature in a report."""


@dataclass(frozen=True)
class MeanGain(Mean):
    """A metric made of a function, or of `gain_of` in a subclass.

    Gains are kept to nine decimals.
    """

    gain_names: ClassVar[tuple[str, ...]] = ("function",)
    takes: ClassVar[tuple[str, ...]] = (LOWERCASE, TOKENIZE)

    gain: str = "function"
    function: GainFunction | None = field(default=None, repr=False)

    def gain_of(self, hypothesis: str, references: Sequence[str]) -> float:
        """Gain of a hypothesis, a finite number of at most 1."""
        if self.function is None:
            raise TypeError("a MeanGain needs a function, or a gain_of of its own")
        return self.function(hypothesis, references)

    def statistics(self, sentence: Sentence) -> Ints:
        """Statistics (n_hyps, 2); raises DataError for a gain that is none."""
        references = list(sentence.references)
        gain = [float(self.gain_of(text, references)) for text in sentence.hypotheses]
        for place, value in enumerate(gain):
            if not LOWEST <= value <= 1.0:
                expected = f"expected a finite gain of at most 1, found {value}"
                place_of = f"sentence {sentence.sid}: hypothesis {place}"
                raise DataError(f"metric {self.name}", place_of, expected)
        return in_units(np.array(gain))

    def signature(self) -> tuple[str, ...]:
        """Number of references, case, and tokens."""
        return f"nrefs:{self.n_refs}", f"case:{self.case}", f"tok:{self.tokenize}"


def in_units(gain: Floats) -> Ints:
    """Statistics (n_hyps, 2) of gains (n_hyps,)."""
    units = np.rint(gain * UNIT).astype(np.int64)
    return np.stack([units, np.ones_like(units)], axis=1)
