"""Selections by each criterion: what is asked for, and how pairs are chosen batch by batch."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress

import numpy as np

from campanula.formats.arpa.reader import read_arpa
from campanula.formats.arrays.types import Flags, Floats
from campanula.formats.errors import DataError
from campanula.formats.files import display_name, refuse_piped
from campanula.formats.text.corpus import split_words
from campanula.formats.text.parts import Text
from campanula.stages.decoding.kenlm_scorer import TextScorer, open_scorer
from campanula.stages.decoding.language_model import SentenceScorer
from campanula.stages.selecting.cross_entropy import (
    CrossEntropyDifference,
    estimated_model,
    known_words,
    lowest,
    sample,
)
from campanula.stages.selecting.parallel_lines import LineBatch, ParallelLines, Watch, batched
from campanula.stages.selecting.selected_files import SelectedFiles
from campanula.stages.selecting.substrings import SubstringSelection

Choose = Callable[[LineBatch], Flags]
"""Which pairs (n,) of the next batch are selected."""

Outcome = Callable[[int], str]
"""What is to be said at the end, given how many pairs there were."""


@dataclass(frozen=True, slots=True)
class BySubstrings:
    """Substrings of the test texts, up to so many words, and how many pairs each gets."""

    tests: tuple[str, ...]
    max_length: int = 12
    count: int = 1

    def chooser(self, pairs: ParallelLines, watch: Watch) -> tuple[Choose, Outcome]:
        """What chooses pairs, and what is to be said at the end."""
        selection = SubstringSelection(text_of(self.tests), self.max_length, self.count)
        return lambda batch: selection.choose(batch.source, batch.first), lambda _: str(selection)


@dataclass(frozen=True, slots=True)
class ByCrossEntropy:
    """Pairs to keep, a number or a share of all, by models or texts that they are estimated of."""

    tests: tuple[str, ...] = ()
    in_domain_lm: str | None = None
    general_lm: str | None = None
    order: int = 4
    keep: int | None = None
    share: float = 1.0
    seed: int = 0

    def chooser(self, pairs: ParallelLines, watch: Watch) -> tuple[Choose, Outcome]:
        """What chooses pairs, and what is to be said at the end."""
        source = pairs.paths[0]
        for path in (source, *self.tests):
            refuse_piped(path)
        difference = self._models(source, watch)
        lines = batched(watch(Text(source), "scoring"))
        scores = np.concatenate([np.zeros(0), *map(difference, lines)])
        keep = self.keep if self.keep is not None else round(self.share * len(scores))
        chosen = lowest(scores, keep)

        def outcome(total: int) -> str:
            if total != len(scores):
                raise _changed(source, len(scores), total)
            return _bounds(scores, chosen)

        return partial(_known, chosen, source), outcome

    def _models(self, source: str, watch: Watch) -> CrossEntropyDifference:
        """The two models; one that is not given is estimated."""
        given = None if self.in_domain_lm is None else read_arpa(self.in_domain_lm)
        if given is None:
            known = known_words(text_of(self.tests))
            domain = estimated_model(text_of(self.tests), known, self.order)
        else:
            known = [word.decode("utf-8", "replace") for word in given.vocabulary]
            domain = given
        name = display_name(self.in_domain_lm or self.tests[0])
        if self.general_lm is not None:
            general: TextScorer = open_scorer(self.general_lm)
        else:
            lines = self._sampled(source, watch)
            general = SentenceScorer.of_model(
                estimated_model(lines, known, self.order), display_name(source)
            )
        return CrossEntropyDifference(SentenceScorer.of_model(domain, name), general)

    def _sampled(self, source: str, watch: Watch) -> Iterator[str]:
        """Lines of the source with about as many words as the test texts have; all without such."""
        if not self.tests:
            return text_of([source])
        n_words = sum(len(split_words(line)) for line in text_of(self.tests))
        lengths = array("q", (len(split_words(line)) for line in watch(Text(source), "counting")))
        chosen = sample(np.array(lengths, np.int64), n_words, self.seed)
        return compress(text_of([source]), chosen)


def select(
    criterion: BySubstrings | ByCrossEntropy, pairs: ParallelLines, prefix: str, watch: Watch
) -> str:
    """Write the pairs that a criterion selects; returns what is to be said of them.

    Raises DataError for what does not fit.
    """
    choose, outcome = criterion.chooser(pairs, watch)
    total = 0
    with SelectedFiles(prefix, len(pairs.paths)) as out:
        for batch in pairs.batches(watch, "selecting"):
            out.write(batch, choose(batch))
            total += len(batch.source)
        message = outcome(total)
    return f"{out.written} of {total} pairs selected; {message}"


def text_of(paths: Sequence[str]) -> Iterator[str]:
    """Lines of texts, one after another; raises DataError where there is no word."""
    empty = True
    for path in paths:
        for line in Text(path):
            empty = empty and not split_words(line)
            yield line
    if empty:
        raise DataError(display_name(paths[0]), None, "expected text, found no word")


def _known(chosen: Flags, source: str, batch: LineBatch) -> Flags:
    """What was chosen before; raises DataError for a text that has more lines by now."""
    end = batch.first + len(batch.source)
    if end > len(chosen):
        raise _changed(source, len(chosen), end)
    return chosen[batch.first : end]


def _changed(source: str, before: int, now: int) -> DataError:
    problem = f"expected the {before} lines that were read first, found {now}: it has changed"
    return DataError(display_name(source), None, problem)


def _bounds(scores: Floats, chosen: Flags) -> str:
    if not chosen.any():
        return "none was asked for, or no line of SOURCE has a word"
    return f"differences of cross-entropy up to {scores[chosen].max():.4f} nats a word"
