"""A metric of the user's own: a function that returns the gain of a hypothesis.

    def first_word(hypothesis: str, references: Sequence[str]) -> float:
        return float(any(ref.split()[:1] == hypothesis.split()[:1] for ref in references))

    METRICS.add("first-word", first_word)

The value of a corpus is the mean gain.  A function in an installed package gets its name by an
entry point, and then every command knows it:

    [project.entry-points."campanula.metrics"]
    first-word = "my_package:first_word"
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, SupportsFloat, TypeAlias

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError
from campanula.stages.metrics.mean import Mean, in_units
from campanula.stages.metrics.metric import LOWERCASE, TOKENIZE

if TYPE_CHECKING:
    from campanula.stages.metrics.sentence import SentenceTexts

GainFunction: TypeAlias = Callable[[str, Sequence[str]], float]
"""Gain of a hypothesis, given its references: a finite number of at most 1, the best."""

LOWEST = -1e6  # gain: in units of 1e-9, even sums over thousands of sentences stay below 2^63


@dataclass(frozen=True)
class MeanGain(Mean):
    """A metric made of a function, or of the method `gain_of` of a subclass.

    Gains are rounded to nine decimals.
    """

    gain_names: ClassVar[tuple[str, ...]] = ("function",)
    takes: ClassVar[tuple[str, ...]] = (LOWERCASE, TOKENIZE)

    function: GainFunction | None = field(default=None, repr=False)

    def gain_of(self, hypothesis: str, references: Sequence[str]) -> float:
        """Return the gain of a hypothesis, a finite number of at most 1."""
        if self.function is None:
            raise TypeError("a MeanGain needs a function, or a gain_of of its own")
        return self.function(hypothesis, references)

    def statistics(self, sentence: SentenceTexts) -> Ints:
        """Return statistics (n_hyps, 2); raises DataError for a gain that is no such number."""
        references = list(sentence.references)
        gain = [self.gain_of(text, references) for text in sentence.hypotheses]
        for place, value in enumerate(gain):
            if not isinstance(value, SupportsFloat) or not LOWEST <= float(value) <= 1.0:
                expected = f"expected a finite gain of at most 1, found {value}"
                place_of = f"sentence {sentence.sid}: hypothesis {place}"
                raise DataError(f"metric {self.name}", place_of, expected)
        return in_units(np.array(gain, np.float64))

    def signature(self) -> tuple[str, ...]:
        """Return the parts for number of references, case, and tokenizer."""
        return f"nrefs:{self.n_refs}", f"case:{self.case}", f"tok:{self.tokenize}"
