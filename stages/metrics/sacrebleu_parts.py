"""Parts of sacrebleu, some of them private: its metrics, for statistics instead of texts.

Only this file uses sacrebleu's private names; pyproject.toml bounds its version for their sake.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy.typing as npt

from campanula.stages.command import UsageError
from campanula.stages.metrics.report import Report

if TYPE_CHECKING:
    from sacrebleu.metrics.base import Metric as SacrebleuMetric

    Judge: TypeAlias = SacrebleuMetric


def bleu(tokenize: str, lowercase: bool) -> Judge:
    """Return BLEU; raises UsageError for an unknown tokenizer, or one whose package is missing."""
    from sacrebleu.metrics.bleu import BLEU

    if tokenize not in BLEU.TOKENIZERS:
        raise UsageError(f"--tokenize {tokenize}: expected one of {', '.join(BLEU.TOKENIZERS)}")
    try:
        # force: sacrebleu warns of texts that look tokenised, as those of decoders often are
        return BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
    except (ImportError, RuntimeError, OSError) as error:
        raise UsageError(f"--tokenize {tokenize}: {' '.join(str(error).split())}") from error


def ter(lowercase: bool) -> Judge:
    """Return TER."""
    from sacrebleu.metrics.ter import TER

    # sacrebleu ignores case by default
    return TER(case_sensitive=not lowercase)


def chrf(word_order: int, lowercase: bool) -> Judge:
    """Return chrF, or with a word order of 2 chrF++."""
    from sacrebleu.metrics.chrf import CHRF

    return CHRF(word_order=word_order, lowercase=lowercase)


def preparation(tokenize: str, lowercase: bool) -> Callable[[str], str]:
    """Return the function that lower-cases and tokenises a text; raises UsageError as `bleu`."""
    return bleu(tokenize, lowercase)._preprocess_segment


def report(judge: Judge, sums: npt.NDArray[Any], n_refs: int) -> Report:
    """Return the corpus value of summed statistics (width,), with sacrebleu's signature."""
    score = judge._compute_score_from_stats(sums.tolist())
    # sacrebleu learns it from the references, which it does not see here
    judge.num_refs = n_refs
    signature = judge.get_signature().format().split("|")
    return Report(
        score.name, tuple(signature), float(score.score), f"{score.score:.2f}", score._verbose
    )
