"""Warnings of a run, a line each: unfit texts, unknown words, a lower value on dev than before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from campanula.formats.text.parts import TextLines
from campanula.pipelines.data_set import DataSet
from campanula.pipelines.evaluation import copied_words, evaluation_of
from campanula.pipelines.history import Values, digits_of
from campanula.pipelines.scorer import LoopScorer
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import StageTask

MANY = 0.02
"""Share of unknown words above which a run warns: every text has some names and numbers."""


def warn(cache: Cache, say: Callable[[str], None], remarks: Iterable[str]) -> None:
    """Print each remark once, although every replicate of a run makes the same ones."""
    for remark in remarks:
        if remark not in cache.remarks:
            cache.remarks.add(remark)
            say(f"tune: warning: {remark}")


def of_data(data: DataSet, scored: StageTask) -> Iterator[str]:
    """Yield remarks on the first decoding of a data set: unlike references, unknown words."""
    warning = evaluation_of(scored).warning
    if warning is not None:
        yield f"{data.name}: {warning}"
    n_words = sum(len(line.split()) for line in TextLines(data.source.path))
    copied = copied_words(scored.path)
    if copied > MANY * n_words:
        words = f"{copied:,} of {n_words:,} words"
        yield f"{data.name}: {words} are in no phrase pair of the model, and copied as they are"


def of_tuning(scorer: LoopScorer, before: Values, after: Values) -> Iterator[str]:
    """Yield a remark where dev is worse under the kept weights than under the initial ones."""
    worse = after.dev < before.dev if scorer.higher_is_better else after.dev > before.dev
    if worse:
        digits = digits_of((before.dev, after.dev))
        values = f"{scorer.title} {after.dev:.{digits}f}, before {before.dev:.{digits}f}"
        yield f"tuning has made dev worse: {values}; --keep best keeps the best weights"
