"""Selections of sentence pairs by each criterion, batch by batch."""

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
from campanula.formats.text.parts import TextLines
from campanula.formats.text.words import split_words
from campanula.stages.bitext.parallel_text import Watch
from campanula.stages.decoding.kenlm_scorer import TextScorer, open_scorer
from campanula.stages.decoding.language_model import SentenceScorer
from campanula.stages.selecting.cross_entropy import (
    CrossEntropyDifference,
    estimated_model,
    known_words,
    lowest,
    sample,
)
from campanula.stages.selecting.parallel_lines import LineBatch, ParallelLines, batched
from campanula.stages.selecting.selected_files import SelectedFiles
from campanula.stages.selecting.substrings import SubstringSelection

Choose = Callable[[LineBatch], Flags]
"""Function that returns which pairs (n,) of the next batch are selected."""

Outcome = Callable[[int], str]
"""Function of the number of all pairs that returns a message for the end."""


@dataclass(frozen=True, slots=True)
class BySubstrings:
    """By substrings of the test texts.

    max_length: longest substring in words.  count: number of pairs for each substring.
    """

    tests: tuple[str, ...]
    max_length: int = 12
    count: int = 1

    def chooser(self, pairs: ParallelLines, watch: Watch) -> tuple[Choose, Outcome]:
        """Return the function that chooses pairs, and the one that gives the message at the end."""
        selection = SubstringSelection(text_of(self.tests), self.max_length, self.count)
        return lambda batch: selection.choose(batch.source, batch.first), lambda _: str(selection)


@dataclass(frozen=True, slots=True)
class ByCrossEntropy:
    """By difference of cross-entropy between two models, given or estimated of texts.

    in_domain_lm, general_lm: paths of the models, None to estimate one of the given order.  keep,
    share: how many pairs, or which share of all.  seed: of the sample for the general model.
    """

    tests: tuple[str, ...] = ()
    in_domain_lm: str | None = None
    general_lm: str | None = None
    order: int = 4
    keep: int | None = None
    share: float = 1.0
    seed: int = 0

    def chooser(self, pairs: ParallelLines, watch: Watch) -> tuple[Choose, Outcome]:
        """Return the function that chooses pairs, and the one that gives the message at the end."""
        source = pairs.paths[0]
        for path in (source, *self.tests):
            # they are read twice or more: to count, to estimate, to score
            refuse_piped(path)
        difference = self._models(source, watch)
        lines = batched(watch(TextLines(source), "scoring"))
        scores = np.concatenate([np.zeros(0), *map(difference, lines)])
        keep = self.keep if self.keep is not None else round(self.share * len(scores))
        chosen = lowest(scores, keep)

        def outcome(total: int) -> str:
            if total != len(scores):
                raise _changed(source, len(scores), total)
            return _bounds(scores, chosen)

        return partial(_chosen_before, chosen, source), outcome

    def _models(self, source: str, watch: Watch) -> CrossEntropyDifference:
        """Return both models; one that is not given is estimated.

        An estimated model has the words of the domain's model; all others are one word <unk>.
        """
        if self.in_domain_lm is None:
            words = known_words(text_of(self.tests))
            domain = estimated_model(text_of(self.tests), words, self.order)
        else:
            domain = read_arpa(self.in_domain_lm)
            words = [word.decode("utf-8", "replace") for word in domain.vocabulary]
        name = display_name(self.in_domain_lm or self.tests[0])
        if self.general_lm is not None:
            general: TextScorer = open_scorer(self.general_lm)
        else:
            lines = self._sampled(source, watch)
            general = SentenceScorer.of_model(
                estimated_model(lines, words, self.order), display_name(source)
            )
        return CrossEntropyDifference(SentenceScorer.of_model(domain, name), general)

    def _sampled(self, source: str, watch: Watch) -> Iterator[str]:
        """Return a sample of the source about as long as the test texts; all lines without such."""
        if not self.tests:
            return text_of([source])
        n_words = sum(len(split_words(line)) for line in text_of(self.tests))
        # 8 bytes a line; a list of ints takes several times that for a large text
        lengths = array(
            "q", (len(split_words(line)) for line in watch(TextLines(source), "counting"))
        )
        chosen = sample(np.array(lengths, np.int64), n_words, self.seed)
        return compress(text_of([source]), chosen)


def select(
    criterion: BySubstrings | ByCrossEntropy, pairs: ParallelLines, prefix: str, watch: Watch
) -> str:
    """Write the pairs that a criterion selects; return the summary.

    Raises DataError for files that do not fit together, or have changed between passes.
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
    """Yield the lines of texts, one after another; raises DataError if they have no word."""
    empty = True
    for path in paths:
        for line in TextLines(path):
            empty = empty and not split_words(line)
            yield line
    if empty:
        raise DataError(display_name(paths[0]), None, "expected text, found no word")


def _chosen_before(chosen: Flags, source: str, batch: LineBatch) -> Flags:
    """Return the choice made before for a batch; raises DataError for a text that has grown."""
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
