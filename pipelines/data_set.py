"""Source sentences with their references, and the tasks that decode and score them."""

from __future__ import annotations

from dataclasses import dataclass

from campanula.formats.errors import DataError
from campanula.formats.text.parts import TextLines, refuse_other_parts
from campanula.pipelines.decoder import LoopDecoder
from campanula.pipelines.scorer import LoopScorer
from campanula.pipelines.settings import Files
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf, Product, StageTask


@dataclass(frozen=True, slots=True)
class DataSet:
    """Sentences to tune on or to test on."""

    name: str
    source: Leaf
    refs: tuple[Leaf, ...]

    @classmethod
    def of(cls, cache: Cache, files: Files) -> DataSet:
        """Data set of these texts; raises DataError unless all have the same number of lines."""
        source = TextLines(files.source)
        expected = sum(1 for _ in source)
        for ref in files.refs:
            text = TextLines(ref)
            # before any work: a missing line would give every sentence after it the wrong reference
            found = sum(1 for _ in text)
            if found != expected:
                problem = f"expected {expected} lines as in {files.source}, found {found}"
                raise DataError(ref, None, problem)
            refuse_other_parts(text, source)
        if not expected:
            raise DataError(files.source, None, "expected sentences, found none")
        refs = tuple(Leaf.of(cache, ref) for ref in files.refs)
        return cls(files.name, Leaf.of(cache, files.source), refs)

    def scored(
        self, cache: Cache, decoder: LoopDecoder, scorer: LoopScorer, weights: Product, k: int
    ) -> StageTask:
        """Task that makes the k best hypotheses under the weights, with statistics and gains.

        It also makes their summary, `task.made(SUMMARY)`.
        """
        lists = decoder.kbest(cache, self.source, weights, k)
        return scorer.scored(cache, lists, self.source, self.refs)
