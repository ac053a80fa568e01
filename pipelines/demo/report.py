"""Report of the demo as text: BLEU before and after, example sentences, times.

BLEU is sacrebleu's, with its signature, of the outputs as they are.  The examples are three short
test sentences that tuning has changed, at even distances in the text.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from campanula.formats.files import read_lines
from campanula.pipelines.results import CURVE, HISTORY, REPORT, WEIGHTS

EXAMPLES, LONGEST = 3, 20  # how many sentences are shown, and of how many tokens at most


@dataclass(frozen=True, slots=True)
class DemoData:
    """Dev or test: the files of its source, its references, and its two outputs."""

    name: str
    source: str
    refs: tuple[str, ...]
    untuned: str
    tuned: str


@dataclass(frozen=True, slots=True)
class DemoOutcome:
    """Result of a run of the demo; seconds: by phase, as measured when each step was made."""

    parts: list[DemoData]
    seconds: Mapping[str, float]
    work_dir: str


def report(outcome: DemoOutcome) -> Iterator[str]:
    """Yield the lines of the report."""
    yield from bleu_table(outcome.parts)
    yield ""
    yield from examples(outcome.parts[-1])
    yield from time_table(outcome.seconds)
    yield ""
    curve = os.path.join(outcome.work_dir, CURVE)
    yield f"weights         {os.path.join(outcome.work_dir, WEIGHTS)}"
    yield f"history         {os.path.join(outcome.work_dir, HISTORY)}"
    yield f"report          {os.path.join(outcome.work_dir, REPORT)}"
    yield f"learning curve  {curve if os.path.exists(curve) else 'none: it needs the extra `plot`'}"


def bleu_table(parts: Sequence[DemoData]) -> Iterator[str]:
    """Yield BLEU of every part, untuned and tuned, and sacrebleu's signature."""
    from sacrebleu.metrics.bleu import BLEU

    # the text has tokens already, which sacrebleu would warn of without `force`
    metric = BLEU(tokenize="none", force=True)
    head, untuned, tuned = f"{'BLEU':<10}", f"{'untuned':<10}", f"{'tuned':<10}"
    for part in parts:
        refs = [list(read_lines(ref)) for ref in part.refs]
        head += f"{f'{part.name} ({len(refs[0])})':>12}"
        untuned += f"{metric.corpus_score(list(read_lines(part.untuned)), refs).score:>12.2f}"
        tuned += f"{metric.corpus_score(list(read_lines(part.tuned)), refs).score:>12.2f}"
    yield from (head, untuned, tuned, "", metric.get_signature().format())


def examples(part: DemoData) -> Iterator[str]:
    """Yield some sentences that tuning has changed, with their first reference."""
    paths = (part.source, part.untuned, part.tuned, part.refs[0])
    rows = zip(*(read_lines(path) for path in paths), strict=True)
    changed = [r for r in rows if r[1] != r[2] and len(r[0].split()) <= LONGEST]
    n = min(EXAMPLES, len(changed))
    # from the middle of each of n equal parts, so that they come from all of the text
    for row in (changed[(2 * i + 1) * len(changed) // (2 * n)] for i in range(n)):
        for label, text in zip(("source", "untuned", "tuned", "reference"), row, strict=True):
            yield f"{label:<10}{text}"
        yield ""


def time_table(seconds: Mapping[str, float]) -> Iterator[str]:
    """Yield the seconds of every phase, their share, and the sum."""
    total = sum(seconds.values())
    for phase, value in seconds.items():
        yield f"{phase:<14}{value:>8.1f} s{value / total:>7.1%}"
    yield f"{'total':<14}{total:>8.1f} s"
