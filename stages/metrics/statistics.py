"""From texts and references to a metric's statistics and gains.

Texts are lower-cased and tokenised as sacrebleu does; the counting is the kernels'.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages.metrics.metric import Metric, sacrebleu_metric

CHRF_ORDER, CHRF_WORD_ORDER = 6, 2

Number = Callable[
    [int], tuple[Ids, Ints, Ids, Ints, int]
]  # a unit of kernels/metrics/tokens -> its sequences


def preparation(tokenize: str, lowercase: bool) -> Callable[[Texts], Texts]:
    """The function that lower-cases and tokenises texts just as sacrebleu does."""
    if tokenize != "none":
        prepare = sacrebleu_metric(Metric(lowercase=lowercase, tokenize=tokenize))
        return lambda texts: Texts.of(prepare._preprocess_segment(text) for text in texts)
    return _lower if lowercase else lambda texts: texts


def _lower(texts: Texts) -> Texts:
    if texts.blob.isascii():
        return Texts(texts.blob.lower(), texts.pointer)
    return Texts.of(text.lower() for text in texts)


class Scorer:
    """Adds statistics and gains to k-best lists: `scorer(kbest)`.  Threads may share it."""

    def __init__(self, metric: Metric, references: References) -> None:
        self._metric = metric
        self._prepare = preparation(metric.tokenize, metric.lowercase)
        text = self._prepare(references.text)
        self._blob, self._pointer = np.frombuffer(text.blob, np.uint8), text.pointer
        self._statistics = _statistics_of(metric.name)
        self._gains = _gains_of(metric)

    def __call__(self, kbest: KBest) -> KBest:
        """The list with stats (n, width) and gain (n,)."""
        from campanula.stages.kernels.metrics import tokens

        text, n_refs = self._prepare(kbest.text), self._metric.n_refs
        blob = np.frombuffer(text.blob, np.uint8)
        refs = self._pointer[kbest.sid * n_refs : (kbest.sid + 1) * n_refs + 1]
        stats, end = self._statistics(
            lambda unit: tokens.number(blob, text.pointer, self._blob, refs, unit)
        )
        gain = self._gains(stats)
        gain[end[1:] == end[:-1]] = 0.0  # an empty hypothesis, even where a reference is empty
        return replace(kbest, stats=stats, gain=gain)


def _statistics_of(name: str) -> Callable[[Number], tuple[Ints, Ints]]:
    """The function that numbers units and counts: statistics, and where each hypothesis ends."""
    from campanula.stages.kernels.metrics import (
        edits,
        ngram_matches,
        tokens,
    )
    from campanula.stages.kernels.metrics import (
        values as metric_values,
    )

    def bleu(number: Number) -> tuple[Ints, Ints]:
        words = number(tokens.WORDS)
        return ngram_matches.bleu_statistics(*words), words[1]

    def wer(number: Number) -> tuple[Ints, Ints]:
        words = number(tokens.WORDS)
        return edits.word_errors(*words[:4]), words[1]

    def ter(number: Number) -> tuple[Ints, Ints]:
        words = number(tokens.WORDS)
        return edits.translation_errors(*words[:4]), words[1]

    def chrf(number: Number) -> tuple[Ints, Ints]:
        characters = number(tokens.CHARACTERS)
        counts = ngram_matches.chrf_counts(*characters, CHRF_ORDER)
        if name == "chrf++":
            words = ngram_matches.chrf_counts(*number(tokens.PARTS), CHRF_WORD_ORDER)
            counts = np.concatenate([counts, words], axis=2)
        best = metric_values.best_reference(counts.reshape(*counts.shape[:2], -1))
        return best, characters[1]

    return {"bleu": bleu, "wer": wer, "ter": ter, "chrf": chrf, "chrf++": chrf}[name]


def _gains_of(metric: Metric) -> Callable[[Ints], Floats]:
    """The kernel that makes sentence gains of statistics."""
    from campanula.stages.kernels.metrics import values as kernel

    if metric.name in ("wer", "ter"):
        return kernel.error_rate_gains
    if metric.name != "bleu":
        return kernel.chrf_gains
    gain, amount = bracketed(metric.gain)
    smoothing, default = {
        "bleu+1": (kernel.ADD_K, 1.0),
        "he-deng": (kernel.HE_DENG, 0.0),
        "none": (kernel.NONE, 0.0),
        "floor": (kernel.FLOOR, 0.1),
        "add-k": (kernel.ADD_K, 1.0),
        "exp": (kernel.EXP, 0.0),
    }[gain]
    amount = amount or [default]
    return lambda stats: kernel.bleu_gains(stats, smoothing, amount[0])


def bracketed(gain: str) -> tuple[str, list[float]]:
    """A gain's name and its settings: `floor[0.2]` is floor, [0.2]."""
    name, _, settings = gain.partition("[")
    return name, [float(number) for number in re.findall(r"[^,\]]+", settings)]
