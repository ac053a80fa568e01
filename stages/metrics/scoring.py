"""From k-best lists and references to statistics and gains.

Texts are lower-cased and tokenised as sacrebleu does; the counting is the metric's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.records.kbest import KBest
from campanula.formats.records.matching import matched
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.scored_lists import with_references
from campanula.stages.metrics.sentence import SentenceTexts
from campanula.stages.parallel.threads import in_threads


def preparation(tokenize: str, lowercase: bool) -> Callable[[Texts], Texts]:
    """Return the function that lower-cases and tokenises texts just as sacrebleu does."""
    if tokenize != "none":
        from campanula.stages.metrics import sacrebleu_parts

        prepare = sacrebleu_parts.preparation(tokenize, lowercase)
        return lambda texts: Texts.of(map(prepare, _lines_joined(texts)))
    return _lower if lowercase else lambda texts: texts


def _lines_joined(texts: Texts) -> Texts:
    """Return texts with blanks for line ends: sacrebleu would join a `-` with the next line."""
    if b"\n" not in texts.blob:
        return texts
    return Texts(texts.blob.replace(b"\n", b" "), texts.pointer)


def _lower(texts: Texts) -> Texts:
    # in ASCII a lower-case letter is as long as its capital; elsewhere the bounds may move
    if texts.blob.isascii():
        return Texts(texts.blob.lower(), texts.pointer)
    return Texts.of(text.lower() for text in texts)


class Scorer:
    """Adds statistics and gains to k-best lists: `scorer(kbest)`.  Threads may share it."""

    def __init__(self, metric: Metric, references: References) -> None:
        self.metric = metric
        self.references = references
        self._prepare = preparation(metric.tokenize, metric.lowercase)
        # once for all lists: a reference is compared with many hypotheses
        self._prepared = replace(references, text=self._prepare(references.text))

    def __call__(self, kbest: KBest) -> KBest:
        """Return the list with stats (n_hyps, width) and gain (n_hyps,)."""
        stats, gain = self.numbers(kbest)
        return replace(kbest, stats=stats, gain=gain)

    def numbers(self, kbest: KBest) -> tuple[Ints, Floats]:
        """Return statistics (n_hyps, width) and gains (n_hyps,) of a list."""
        references = self._prepared.of_sentence(kbest.sid, kbest.id)
        sentence = SentenceTexts(kbest.sid, self._prepare(kbest.text), references)
        stats = self.metric.statistics(sentence)
        gain = self.metric.sentence_gains(stats)
        if self.metric.silence is not None:
            gain[sentence.silent] = self.metric.silence  # even where a reference is empty
        return stats, gain

    def score(
        self,
        lists: Iterable[KBest],
        *,
        allow_missing: bool = False,
        jobs: int = 1,
        source: str = "k-best lists",
    ) -> Iterator[KBest]:
        """Yield every list with statistics and gains, in their order.

        Raises DataError, with `source` as the name of the lists, for a list without references, and
        unless allow_missing for references without a list.
        """
        lists, references = matched(lists, self.references)
        scorer = self if references is self.references else Scorer(self.metric, references)
        joined = with_references(lists, source, references, allow_missing)
        yield from in_threads(scorer, joined, jobs)
