"""Parts of sacrebleu, some of them private: its metrics given statistics in the place of texts.

No other file knows sacrebleu's own names.  pyproject.toml bounds its version for their sake.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy.typing as npt

from campanula.formats.arrays.types import Floats
from campanula.stages.command import UsageError
from campanula.stages.metrics.report import Report

if TYPE_CHECKING:
    from sacrebleu.metrics.base import Metric as SacrebleuMetric

    Judge: TypeAlias = SacrebleuMetric

SEED = "SACREBLEU_SEED"  # sacrebleu takes its seed from the environment


def bleu(tokenize: str, lowercase: bool) -> Judge:
    """BLEU; raises UsageError for a tokenizer that is not known, or lacks what it needs."""
    from sacrebleu.metrics.bleu import BLEU

    if tokenize not in BLEU.TOKENIZERS:
        raise UsageError(f"--tokenize {tokenize}: expected one of {', '.join(BLEU.TOKENIZERS)}")
    try:
        return BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
    except (ImportError, RuntimeError, OSError) as error:
        raise UsageError(f"--tokenize {tokenize}: {' '.join(str(error).split())}") from error


def ter(lowercase: bool) -> Judge:
    """TER."""
    from sacrebleu.metrics.ter import TER

    return TER(case_sensitive=not lowercase)


def chrf(word_order: int, lowercase: bool) -> Judge:
    """chrF, or with a word order of 2 chrF++."""
    from sacrebleu.metrics.chrf import CHRF

    return CHRF(word_order=word_order, lowercase=lowercase)


def preparation(tokenize: str, lowercase: bool) -> Callable[[str], str]:
    """The function that lower-cases and tokenises a text; raises UsageError as `bleu`."""
    return bleu(tokenize, lowercase)._preprocess_segment


def report(judge: Judge, sums: npt.NDArray[Any], n_refs: int) -> Report:
    """Corpus value of summed statistics, with sacrebleu's signature."""
    score = judge._compute_score_from_stats(sums.tolist())
    judge.num_refs = n_refs
    signature = judge.get_signature().format().split("|")
    return Report(
        score.name, tuple(signature), float(score.score), f"{score.score:.2f}", score._verbose
    )


def paired_tests(
    judge: Judge, name: str, stats: tuple[Floats, Floats], seed: int, counts: tuple[int, int]
) -> tuple[float, float]:
    """p-values of the second system against the first: paired bootstrap, and randomisation.

    stats (n, width) of two systems; counts are the samples of the one and the trials of the other.
    """
    from sacrebleu.significance import PairedTest

    named = cast("Any", list(zip(("first", "second"), stats, strict=True)))
    judges = {name: cast("Any", _Counted(judge))}
    with _seed(seed):
        bootstrap, randomisation = (
            PairedTest(named, judges, None, kind, n)()[1]
            for kind, n in zip(("bs", "ar"), counts, strict=True)
        )
    return _second(bootstrap), _second(randomisation)


def _second(scores: Mapping[str, Sequence[Any]]) -> float:
    """p-value of the second system in sacrebleu's results, {System: names, METRIC: results}."""
    ((_, result),) = (results for name, results in scores.items() if name != "System")
    return float(result.p_value)


class _Counted:
    """A metric of sacrebleu that is given statistics in the place of texts."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def __getattr__(self, name: str) -> object:
        return getattr(self._judge, name)

    def _extract_corpus_statistics(self, stats: Floats, references: None) -> Floats:
        return stats

    def get_signature(self) -> object:
        """A signature, which sacrebleu makes only for a metric that has seen references."""
        self._judge.num_refs = 1
        return self._judge.get_signature()


@contextmanager
def _seed(seed: int) -> Iterator[None]:
    before = os.environ.get(SEED)
    os.environ[SEED] = str(seed)
    try:
        yield
    finally:
        del os.environ[SEED]
        if before is not None:
            os.environ[SEED] = before
