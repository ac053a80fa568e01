"""The metrics: one table, and how the header of a scored stream holds its metric.

A metric's statistics add up over sentences, and its corpus value is a function of the sum; that is
what lets line search and reranking work on statistics alone.  Corpus values are sacrebleu's, with
its signature.

    name          statistics of a hypothesis                       corpus value
    bleu          c, r, matches of 1..4, totals of 1..4            BLEU
    wer           edits, words (nearest reference)                 edits / words
    ter           edits times n_refs, words of all references      edits / words
    chrf          hypothesis, reference, matches of 1..6           chrF2
    chrf++        the same, then of 1..2 words                     chrF2++
    gain-column   the number in units of 1e-9, 1                   mean
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from campanula.formats import __version__
from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.command import UsageError

if TYPE_CHECKING:
    from sacrebleu.metrics.base import Metric as SacrebleuMetric


@dataclass(frozen=True, slots=True)
class Kind:
    """A metric's number of statistics, its sentence gains (the first is the default), its value.

    `value` names the corpus value in kernels/metrics/values; `tokenized`: whether it counts the
    tokens that a tokenizer makes.
    """

    width: int
    gains: tuple[str, ...]
    value: str
    tokenized: bool = False


BLEU_GAINS = ("bleu+1", "he-deng", "none", "floor", "add-k", "exp")
METRICS = {
    "bleu": Kind(10, BLEU_GAINS, "BLEU", tokenized=True),
    "wer": Kind(2, ("1-wer",), "ERROR_RATE", tokenized=True),
    "ter": Kind(2, ("1-ter",), "ERROR_RATE"),
    "chrf": Kind(18, ("chrf",), "CHRF"),
    "chrf++": Kind(24, ("chrf++",), "CHRF"),
    "gain-column": Kind(2, ("column",), "MEAN"),
}


@dataclass(frozen=True, slots=True)
class Metric:
    """What determines statistics and gains: name, sentence gain, references, preparation.

    A gain with settings has them in brackets, `floor[0.2]`, as sacrebleu writes its smoothings.
    """

    name: str = "bleu"
    gain: str = "bleu+1"
    n_refs: int = 1
    lowercase: bool = False
    tokenize: str = "none"

    def fields(self) -> dict[str, object]:
        """What a stream's signature says of the metric, in this order."""
        return {
            "metric": self.name,
            "gain": self.gain,
            "nrefs": self.n_refs,
            "case": "lc" if self.lowercase else "mixed",
            "tok": self.tokenize,
        }

    def __str__(self) -> str:
        return "|".join(f"{name}:{value}" for name, value in self.fields().items())

    def header(self) -> dict[str, object]:
        """The metric as the header of a scored stream holds it."""
        return {
            "name": self.name,
            "gain": self.gain,
            "n_refs": self.n_refs,
            "case": "lc" if self.lowercase else "mixed",
            "tokenize": self.tokenize,
        }

    @classmethod
    def of_header(cls, header: Mapping[str, Any] | None) -> Metric | None:
        """The metric that a stream's header holds; None: not scored, or by one unknown here."""
        if header is None or header.get("name") not in METRICS:
            return None
        try:
            settings = str(header["gain"]), int(header["n_refs"]), header["case"] == "lc"
            return cls(header["name"], *settings, str(header["tokenize"]))
        except (KeyError, TypeError, ValueError):
            return None

    @property
    def higher_is_better(self) -> bool:
        """Whether a good system has a high corpus value; an error rate is low."""
        return METRICS[self.name].value != "ERROR_RATE"

    @property
    def code(self) -> int:
        """The number of the corpus value, for kernels/metrics/values.corpus_values."""
        from campanula.stages.kernels.metrics import values as metric_values

        return int(getattr(metric_values, METRICS[self.name].value))

    def values(self, sums: Ints) -> Floats:
        """Corpus values (m,), higher is better, of sums of statistics (m, width)."""
        from campanula.stages.kernels.metrics import values as metric_values

        values: Floats = metric_values.corpus_values(sums, self.code)
        return values

    def corpus(self, sums: npt.ArrayLike) -> tuple[float, str]:
        """Corpus value of summed statistics (width,), and the line that reports it.

        As sacrebleu gives it: BLEU, TER and chrF in percent, with its signature.
        """
        stats = np.asarray(sums).tolist()
        if self.name == "gain-column":
            value = float(self.values(np.array([stats]))[0])
            return value, f"gain-column = {value:.4f}"
        if self.name == "wer":
            value = 100.0 * (1.0 - float(self.values(np.array([stats]))[0]))
            _, _, rest = str(self).split("|", 2)
            return value, f"WER|{rest}|version:campanula-{__version__} = {value:.2f}"
        if self.name == "ter":
            stats = [total / self.n_refs for total in stats]  # both are n_refs times as large
        return sacrebleu_value(sacrebleu_metric(self), stats, self.n_refs)


def corpus_bleu(
    sums: npt.ArrayLike, n_refs: int, tokenize: str = "none", lowercase: bool = False
) -> tuple[float, str]:
    """Corpus BLEU (0 to 100) of summed statistics (10,), and sacrebleu's line with signature."""
    return Metric("bleu", "bleu+1", n_refs, lowercase, tokenize).corpus(sums)


def sacrebleu_value(judge: SacrebleuMetric, stats: list[float], n_refs: int) -> tuple[float, str]:
    """Value of summed statistics by a metric of sacrebleu, and its line with signature."""
    score = judge._compute_score_from_stats(stats)
    judge.num_refs = n_refs
    return float(score.score), str(score.format(signature=judge.get_signature().format()))


def sacrebleu_metric(metric: Metric) -> SacrebleuMetric:
    """sacrebleu's metric of the same settings (of bleu for wer, which it does not have).

    Raises UsageError for a tokenizer that it does not know, or that needs what is not there.
    """
    if metric.name == "ter":
        from sacrebleu.metrics.ter import TER

        return TER(case_sensitive=not metric.lowercase)
    if metric.name in ("chrf", "chrf++"):
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(word_order=2 if metric.name == "chrf++" else 0, lowercase=metric.lowercase)
    return _sacrebleu_bleu(metric.tokenize, metric.lowercase)


def _sacrebleu_bleu(tokenize: str, lowercase: bool) -> SacrebleuMetric:
    from sacrebleu.metrics.bleu import BLEU

    if tokenize not in BLEU.TOKENIZERS:
        raise UsageError(f"--tokenize {tokenize}: expected one of {', '.join(BLEU.TOKENIZERS)}")
    try:
        return BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
    except (ImportError, RuntimeError, OSError) as error:
        raise UsageError(f"--tokenize {tokenize}: {' '.join(str(error).split())}") from error
