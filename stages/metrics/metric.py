"""The contract of a metric: statistics of hypotheses, gains of sentences, values of corpora.

A metric's statistics are added over sentences, and its corpus value is a function of the sum; so
line search and reranking need only statistics.  Each metric has a file, and a row in table.py with
its statistics.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from campanula.formats.arrays.types import Flags, Floats, Ints

if TYPE_CHECKING:
    from campanula.stages.metrics.report import Report
    from campanula.stages.metrics.sacrebleu_parts import Judge
    from campanula.stages.metrics.sentence import SentenceTexts

LOWERCASE, TOKENIZE = "lowercase", "tokenize"

Bounds = tuple[float, float]
UNBOUNDED: Bounds = (-math.inf, math.inf)
PERCENT: Bounds = (0.0, 100.0)


@dataclass(frozen=True)
class Metric(ABC):
    """A metric with its settings: name, sentence gain, references, preparation of the texts.

    A subclass is a metric, with these class variables:

    own_name             its name, unless another is given
    width                number of statistics of a hypothesis
    gain_names           its sentence gains; the first is the default
    higher_is_better     whether a good system has a high corpus value; an error rate is low
    compares_texts       whether it compares texts with references
    takes                which of the settings LOWERCASE, TOKENIZE it reads
    silence              gain of an empty hypothesis; None: that of `sentence_gains`
    has_bleu_statistics  whether the statistics are BLEU's, which batch MIRA needs
    most_settings        how many settings its gain may have
    further_gain_names   names of the gains that `further_gains` returns, for a summary
    digits               of a corpus value in a table
    bounds               least and greatest value of `report`, at which a chart's axis ends
    """

    own_name: ClassVar[str] = ""
    width: ClassVar[int]
    gain_names: ClassVar[tuple[str, ...]]
    higher_is_better: ClassVar[bool] = True
    compares_texts: ClassVar[bool] = True
    takes: ClassVar[tuple[str, ...]] = (LOWERCASE,)
    silence: ClassVar[float | None] = 0.0
    has_bleu_statistics: ClassVar[bool] = False
    most_settings: ClassVar[int] = 0
    further_gain_names: ClassVar[tuple[str, ...]] = ()
    digits: ClassVar[int] = 2
    bounds: ClassVar[Bounds] = UNBOUNDED
    name: str = ""
    gain: str = ""
    gain_settings: tuple[float, ...] = ()
    n_refs: int = 1
    lowercase: bool = False
    tokenize: str = "none"

    def __post_init__(self) -> None:
        """Fill in the metric's own name and its default gain where none is given."""
        object.__setattr__(self, "name", self.name or self.own_name)
        object.__setattr__(self, "gain", self.gain or self.gain_names[0])

    @abstractmethod
    def statistics(self, sentence: SentenceTexts) -> Ints:
        """Return statistics (n_hyps, width) of a sentence's hypotheses."""

    @abstractmethod
    def sentence_gains(self, stats: Ints) -> Floats:
        """Return gains (n_hyps,), at most 1, of statistics (n_hyps, width)."""

    @abstractmethod
    def corpus_values(self, sums: Ints) -> Floats:
        """Return values (m,), of which higher ones are better, of sums (m, width)."""

    @abstractmethod
    def report(self, sums: npt.ArrayLike) -> Report:
        """Return the usual corpus value of one sum (width,): a good error rate is low."""

    def further_gains(self, stats: Ints) -> dict[str, Floats]:
        """Return further gains (n,) by name of statistics (n, width), for means in a summary."""
        return {}

    def possible(self, stats: Ints) -> Flags:
        """Return which statistics (n, width) texts can have; other programs may give others."""
        return np.asarray((stats >= 0).all(axis=1))

    def all_possible(self, stats: Ints) -> bool:
        """Return whether all statistics (n, width) are possible."""
        return bool(self.possible(stats).all())

    def oracles(self, gain: Floats, stats: Ints | None, n: int) -> Ints:
        """Return the places of the n best of a list, best first; ties go to the lower index."""
        return best(gain, n)

    def judge(self) -> Judge | None:
        """Return sacrebleu's metric with the same settings, None if it has no such metric."""
        return None

    def judged(self, stats: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return statistics (..., width) as sacrebleu's metric counts them."""
        return np.asarray(stats)

    def fields(self) -> dict[str, object]:
        """Return the fields of a signature, in order; settings of a gain are in brackets."""
        settings = f"[{','.join(map(str, self.gain_settings))}]" if self.gain_settings else ""
        return {
            "metric": self.name,
            "gain": f"{self.gain}{settings}",
            "nrefs": self.n_refs,
            "case": self.case,
            "tok": self.tokenize,
        }

    @property
    def case(self) -> str:
        """Case in a signature: `lc` or `mixed`."""
        return "lc" if self.lowercase else "mixed"

    def header(self) -> dict[str, object]:
        """Return the metric as the header of a scored stream has it."""
        return {
            "name": self.name,
            "gain": self.gain,
            "gain_settings": list(self.gain_settings),
            "n_refs": self.n_refs,
            "case": self.case,
            "tokenize": self.tokenize,
        }

    def with_header(self, header: Mapping[str, Any]) -> Metric:
        """Return the metric with further settings of a header; raises KeyError or ValueError."""
        return self

    def __str__(self) -> str:
        return "|".join(f"{name}:{value}" for name, value in self.fields().items())


def best(gain: Floats, n: int) -> Ints:
    """Return the places of the n highest gains, highest first; ties go to the lower index."""
    # argmax takes the first of equal gains, as the stable sort does
    if n == 1:  # without a sort: most callers ask for one
        return np.array([np.argmax(gain)], np.int64)
    return np.argsort(-gain, kind="stable")[:n].astype(np.int64)
