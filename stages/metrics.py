"""Metrics as stages use them: texts and references become statistics, gains, corpus values.

A metric's statistics add up over sentences, and its corpus value is a function of the sum; that is
what lets line search and reranking work on statistics alone.  Corpus values are sacrebleu's, with
its signature.  The signature of a scored stream says how its statistics were made, and
`Metric.of_signature` reads it back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from formats.columns import Floats, Ints
from formats.errors import DataError
from formats.kbest import KBest
from formats.references import References
from formats.texts import Texts
from stages.command import UsageError

BLEU_GAINS = ("bleu+1", "he-deng", "none", "floor", "add-k", "exp")

_FIELDS = re.compile(
    r"\bmetric:(?P<name>[^|]+)\|gain:(?P<gain>[^|]+)\|nrefs:(?P<n_refs>\d+)"
    r"\|case:(?P<case>lc|mixed)\|tok:(?P<tokenize>[^| ]+)"
)


@dataclass(frozen=True, slots=True)
class Metric:
    """What determines statistics and gains: name, sentence gain, references, preparation."""

    name: str = "bleu"
    gain: str = "bleu+1"
    n_refs: int = 1
    lowercase: bool = False
    tokenize: str = "none"

    def fields(self) -> dict[str, object]:
        """What a stream's signature says of the metric, in this order."""
        case = "lc" if self.lowercase else "mixed"
        return {
            "metric": self.name,
            "gain": self.gain,
            "nrefs": self.n_refs,
            "case": case,
            "tok": self.tokenize,
        }

    @classmethod
    def of_signature(cls, signature: str) -> Metric | None:
        """The metric whose statistics a stream of this signature carries; None: not scored."""
        found = _FIELDS.search(signature)
        if found is None:
            return None
        return cls(
            found["name"],
            found["gain"],
            int(found["n_refs"]),
            found["case"] == "lc",
            found["tokenize"],
        )

    def corpus(self, sums: npt.ArrayLike) -> tuple[float, str]:
        """Corpus value of summed statistics, and sacrebleu's line with signature."""
        return corpus_bleu(sums, self.n_refs, self.tokenize, self.lowercase)


def corpus_bleu(
    sums: npt.ArrayLike, n_refs: int, tokenize: str = "none", lowercase: bool = False
) -> tuple[float, str]:
    """Corpus BLEU (0 to 100) of summed statistics (10,), and sacrebleu's line with signature."""
    bleu = _sacrebleu(tokenize, lowercase)
    score = bleu._compute_score_from_stats(np.asarray(sums).tolist())
    bleu.num_refs = n_refs
    return float(score.score), str(score.format(signature=bleu.get_signature().format()))


def _sacrebleu(tokenize: str, lowercase: bool):  # type: ignore[no-untyped-def]
    """sacrebleu's BLEU; raises UsageError when there is no such tokenizer, or it needs more."""
    from sacrebleu.metrics.bleu import BLEU

    if tokenize not in BLEU.TOKENIZERS:
        raise UsageError(f"--tokenize {tokenize}: expected one of {', '.join(BLEU.TOKENIZERS)}")
    try:
        return BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
    except (ImportError, RuntimeError, OSError) as error:
        raise UsageError(f"--tokenize {tokenize}: {' '.join(str(error).split())}") from error


def preparation(tokenize: str, lowercase: bool) -> Callable[[Texts], Texts]:
    """The function that lower-cases and tokenises texts just as sacrebleu does."""
    if tokenize != "none":
        prepare_one = _sacrebleu(tokenize, lowercase)._preprocess_segment
        return lambda texts: Texts.of(prepare_one(text) for text in texts)
    return _lower if lowercase else lambda texts: texts


def _lower(texts: Texts) -> Texts:
    if texts.blob.isascii():
        return Texts(texts.blob.lower(), texts.pointer)
    return Texts.of(text.lower() for text in texts)


class Scorer:
    """Adds statistics and gains to k-best lists: `scorer(kbest)`.  Threads may share it."""

    def __init__(self, metric: Metric, references: References, amount: float | None = None) -> None:
        self.metric = metric
        self._prepare = preparation(metric.tokenize, metric.lowercase)
        text = self._prepare(references.text)
        self._blob = np.frombuffer(text.blob, np.uint8)
        self._pointer = text.pointer
        self._smoothing, self._amount = _smoothing(metric.gain, amount)

    def __call__(self, kbest: KBest) -> KBest:
        """The list with stats (n, 10) and gain (n,)."""
        from stages.kernels import metric_values

        stats = self.statistics(kbest)
        gain = metric_values.bleu_gains(stats, self._smoothing, self._amount)
        return replace(kbest, stats=stats, gain=gain)

    def statistics(self, kbest: KBest) -> Ints:
        """Statistics (n, 10) of a list's hypotheses."""
        from stages.kernels import bleu

        text, n_refs = self._prepare(kbest.text), self.metric.n_refs
        refs = self._pointer[kbest.sid * n_refs : (kbest.sid + 1) * n_refs + 1]
        hyps = np.frombuffer(text.blob, np.uint8)
        stats: Ints = bleu.statistics(hyps, text.pointer, self._blob, refs)
        return stats


def _smoothing(gain: str, amount: float | None) -> tuple[int, float]:
    """The kernel's number of a sentence gain, and how much it adds; default: sacrebleu's."""
    from stages.kernels import metric_values as kernel

    codes = {
        "bleu+1": (kernel.ADD_K, 1.0),
        "he-deng": (kernel.HE_DENG, 0.0),
        "none": (kernel.NONE, 0.0),
        "floor": (kernel.FLOOR, 0.1 if amount is None else amount),
        "add-k": (kernel.ADD_K, 1.0 if amount is None else amount),
        "exp": (kernel.EXP, 0.0),
    }
    return codes[gain]


def with_references(
    lists: Iterable[KBest], source: str, references: References, allow_missing: bool
) -> Iterator[KBest]:
    """Pass the lists on, checking that each has references and each reference a list.

    Raises DataError that names both sides; with allow_missing, references may lack a list.
    """
    expected, ref = 0, references.names[0]
    for kbest in lists:
        if kbest.sid >= len(references):
            problem = f"expected a reference in {ref}, found the end after {len(references)} lines"
            raise DataError(source, f"sentence {kbest.sid}", problem)
        if kbest.sid > expected and not allow_missing:
            raise _no_list(ref, expected, source)
        yield kbest
        expected = kbest.sid + 1
    if expected < len(references) and not allow_missing:
        raise _no_list(ref, expected, source)


def _no_list(ref: str, sid: int, source: str) -> DataError:
    problem = f"expected a k-best list of sentence {sid} in {source}, found none"
    return DataError(ref, f"line {sid + 1}", f"{problem} (--allow-missing accepts that)")


def scored(lists: Iterable[KBest], source: str) -> Iterator[KBest]:
    """Pass the lists on; raises DataError for one without gains."""
    for kbest in lists:
        if kbest.gain is None:
            problem = "expected gains (score-bleu adds them), found none"
            raise DataError(source, f"sentence {kbest.sid}", problem)
        yield kbest


def oracles(gain: Floats, n: int) -> Ints:
    """Places of the n highest gains, highest first; ties go to the lower index."""
    return np.argsort(-gain, kind="stable")[:n].astype(np.int64)


class Summary:
    """Corpus values of the first hypotheses and of the oracles, for the words on stderr.

    Without a metric, or for lists without statistics, the mean gains.
    """

    def __init__(self, metric: Metric | None) -> None:
        self._metric = metric
        self._n_lists = self._n_hyps = 0
        self._stats: list[Ints | int] = [0, 0]
        self._gain = [0.0, 0.0]

    def count(self, lists: Iterable[KBest]) -> Iterator[KBest]:
        """Pass scored lists on and count them."""
        for kbest in lists:
            assert kbest.gain is not None
            self._n_lists += 1
            self._n_hyps += len(kbest)
            for which, place in enumerate((0, int(np.argmax(kbest.gain)))):
                self._gain[which] += float(kbest.gain[place])
                if kbest.stats is not None:
                    self._stats[which] = self._stats[which] + kbest.stats[place]
            yield kbest

    def __str__(self) -> str:
        counts = f"{self._n_lists} lists, {self._n_hyps} hypotheses"
        if not self._n_lists:
            return counts
        if self._metric is None or isinstance(self._stats[0], int):
            first, oracle = (f"mean gain = {gain / self._n_lists:.4f}" for gain in self._gain)
        else:
            first = self._metric.corpus(self._stats[0])[1]
            oracle = f"{self._metric.corpus(self._stats[1])[0]:.2f}"
        return f"{counts}; first: {first}; oracle: {oracle}"
