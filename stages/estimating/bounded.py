"""Interpolated modified Kneser-Ney within a bound of memory: as kernels/lm/kneser_ney.py does it.

The levels are estimated one after the other, from words on.  The suffix of an n-gram is the n-gram
without its first word.  Suffixes are found by sorting, twice:

    (suffix of the prefix, last word)  ->  the order of the level below, where the suffixes are
    (number, suffix, p of the suffix)  ->  the order of the level itself

The count of a suffix is the number of n-grams that have it (Heafield, Pouzyrevsky, Clark and Koehn
2013 sort by suffixes and by contexts in turn, too).  Everything else is done in the order of the
n-grams, all n-grams of a context at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from campanula.formats.arpa.writer import END, LINES, NgramLines, Part, head, title
from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.stages.estimating.levels import Level, contexts, joined
from campanula.stages.estimating.scratch import FileColumn, Rows
from campanula.stages.estimating.sorted_rows import RowForm, SortedRows
from campanula.stages.kernels.lm import kneser_ney
from campanula.stages.kernels.lm.kneser_ney import Counts, Discounts, Specials

ENTRY = 400  # bytes of memory that an n-gram takes while it is estimated
NONE = np.zeros(0)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A level's probabilities and back-off weights (K,) in files.

    size: number of n-grams that are not pruned.  fell_back: the discounts are the fallback.
    """

    level: Level
    prob: FileColumn
    backoff: FileColumn
    size: int
    fell_back: bool


@dataclass(frozen=True, slots=True)
class Below:
    """For n-grams (K,), in files: the place of the suffix in the level below, its probability."""

    suffix: FileColumn
    prob: FileColumn


@dataclass(frozen=True, slots=True)
class SuffixLinks:
    """The n-grams of a level sorted by their suffixes in the level below.

    row (K, 2): number and suffix of each.  count (K below,): number of n-grams with each suffix.
    """

    row: FileColumn
    count: FileColumn


class BoundedModel:
    """The model of the levels of a text, as parts of a file.

    fallback: discounts where counts of counts give none.  thresholds: those of pruning, by length.
    """

    def __init__(
        self,
        levels: Sequence[Level],
        specials: Specials,
        fallback: Discounts,
        thresholds: Sequence[int],
        folder: str,
        memory: int,
    ) -> None:
        self._specials = specials
        self._fallback = fallback
        self._thresholds = thresholds
        self._folder = folder
        self._memory = memory
        self._piece = max(64, memory // ENTRY)
        self._levels = levels
        self._backoff = [FileColumn(folder, "<f8") for _ in levels]
        self._below: Below | None = None
        estimates = [self._estimate(n) for n in range(1, len(levels) + 1)]
        sizes = [estimate.size for estimate in estimates]
        # nothing follows a level that was pruned to nothing, where later n-grams would have their
        # prefixes
        self.estimates = estimates[: sizes.index(0)] if 0 in sizes else estimates

    def parts(self) -> Iterator[Part]:
        """Yield the parts of the file."""
        yield head([estimate.size for estimate in self.estimates])
        for n in range(1, len(self.estimates) + 1):
            yield title(n)
            for start in range(0, len(self._levels[n - 1]), LINES):
                yield self._lines(n, start, min(start + LINES, len(self._levels[n - 1])))
        yield END

    def _estimate(self, n: int) -> Estimate:
        """Estimate level n, after the level below, and link the level above to it."""
        above = n < len(self._levels)
        links = self._links(n) if above else None
        count = self._counts(n) if links is None else links.count
        estimate = self._interpolated(n, count)
        if links is not None:
            self._below = self._turned(links.row, estimate.prob)
        return estimate

    def _links(self, n: int) -> SuffixLinks:
        """Return the n-grams of the level above by their suffixes in level n, and the counts."""
        level = self._levels[n - 1]
        above = self._levels[n]
        # keys are suffix and last word, the number goes along; half of the memory, as the level is
        # read beside the sort
        rows = SortedRows(RowForm(3, 2), self._folder, self._memory // 2)
        for start, prefix in above.prefix.pieces(self._piece):
            word = above.word.read(start, start + len(prefix))
            number = np.arange(start, start + len(prefix), dtype=np.uint32)
            rows.add(np.stack([self._suffix_of(prefix), word, number], axis=1))
        links = SuffixLinks(FileColumn(self._folder, "<u4", 2), FileColumn(self._folder, "<u4"))
        for start, count, block, suffix in joined(rows.blocks(), level, self._piece):
            if n > 1:  # an n-gram that begins with <s> is no suffix: its count is its occurrences
                times = level.times.read(start, start + len(count))
                count = np.where(count == 0, times, count)
            links.count.append(count)
            links.row.append(np.stack([block[:, 2], suffix.astype(np.uint32)], axis=1))
        return links

    def _suffix_of(self, prefix: Rows) -> Rows:
        """Return the suffixes of n-grams (n,), whose places ascend; 0 for words, whose is empty."""
        if self._below is None or not len(prefix):
            return np.zeros(len(prefix), np.uint32)
        first = int(prefix[0])
        suffix = self._below.suffix.read(first, int(prefix[-1]) + 1)
        suffixes: Rows = suffix[prefix - np.uint32(first)]
        return suffixes

    def _counts(self, n: int) -> FileColumn:
        """Return the counts of the longest n-grams: their numbers of occurrences."""
        if n > 1:
            return self._levels[n - 1].times
        count = FileColumn(self._folder, "<u4")
        times = self._levels[0].times.read(0, len(self._levels[0]))
        times[[self._specials.unk, self._specials.bos]] = 0
        count.append(times)
        return count

    def _interpolated(self, n: int, count: FileColumn) -> Estimate:
        """Return the estimate of level n; write the back-off weights of the level below.

        count (K,): those of the n-grams of level n.  The back-off weights of level n itself are
        written with the level above, whose n-grams have them as contexts.
        """
        numbers = np.zeros(6, np.int64)
        for _, piece in count.pieces(self._piece):
            numbers += kneser_ney.counts_of_counts(piece.astype(np.int64))
        discounts, fell_back = kneser_ney.discounts_of(numbers, self._fallback)
        prob = FileColumn(self._folder, "<f8")
        size = 0
        backoff = self._backoff[n - 2] if n > 1 else FileColumn(self._folder, "<f8")
        for start, prefix in contexts(self._levels[n - 1], self._piece):
            stop = start + len(prefix)
            kept = self._kept(n, start, stop)
            counts = count.read(start, stop).astype(np.int64)
            first = int(prefix[0])
            number = np.arange(len(prefix))
            level = Counts(prefix - first, number, number, counts, number[:0])
            discount = kneser_ney.discount_of(counts, discounts, kept)
            below = self._probability_below(n, start, stop)
            values, gamma = kneser_ney.interpolate(
                level, discount, below, int(prefix[-1]) - first + 1
            )
            if n == 1:
                values[self._specials.bos] = 1.0  # its logarithm is 0: <s> is never predicted
            prob.append(values)
            backoff.append(np.ones(first - backoff.size))  # n-grams that are no context
            backoff.append(gamma)
            size += int(kept.sum())
        if n > 1:
            backoff.append(np.ones(len(self._levels[n - 2]) - backoff.size))
        if n == len(self._levels):
            self._backoff[n - 1].append(np.ones(prob.size))
        return Estimate(self._levels[n - 1], prob, self._backoff[n - 1], size, fell_back)

    def _probability_below(self, n: int, start: int, stop: int) -> Floats:
        """Return the probabilities of the suffixes of n-grams; for words the uniform one."""
        if n > 1:
            assert self._below is not None
            return self._below.prob.read(start, stop)
        # pruned words have no probability of their own, so they do not share in the uniform one
        n_kept = int(self._kept(1, 0, len(self._levels[0])).sum())
        return np.full(stop - start, 1.0 / (n_kept - 1))  # without <s>

    def _kept(self, n: int, start: int, stop: int) -> Flags:
        """Return which n-grams from `start` to `stop` are not pruned; special words never are."""
        threshold = self._thresholds[n - 1]
        if threshold == 0:
            return np.ones(stop - start, np.bool_)
        kept: Flags = self._levels[n - 1].times.read(start, stop) > threshold
        if n == 1:
            kept[[self._specials.unk, self._specials.bos, self._specials.eos]] = True
        return kept

    def _turned(self, links: FileColumn, prob: FileColumn) -> Below:
        """Return suffixes and their probabilities, in the order of the n-grams of the level above.

        links: number and suffix (K, 2), in the order of suffixes.
        """
        rows = SortedRows(RowForm(4, 1), self._folder, self._memory // 2)
        for _, piece in links.pieces(self._piece):
            number = piece[:, 0]
            suffix = piece[:, 1]
            first = int(suffix[0])
            values = prob.read(first, int(suffix[-1]) + 1)[suffix - np.uint32(first)]
            halves = values.view("<u4").reshape(-1, 2)  # rows are numbers of 32 bits
            rows.add(np.concatenate([np.stack([number, suffix], axis=1), halves], axis=1))
        below = Below(FileColumn(self._folder, "<u4"), FileColumn(self._folder, "<f8"))
        for block in rows.blocks():
            below.suffix.append(block[:, 1])
            below.prob.append(np.ascontiguousarray(block[:, 2:]).view("<f8").reshape(-1))
        return below

    def _lines(self, n: int, start: int, stop: int) -> NgramLines:
        """Return the n-grams from `start` to `stop` that are not pruned, with their logarithms."""
        estimate = self.estimates[n - 1]
        columns = [self._levels[n - 1].word.read(start, stop)]
        prefix = self._levels[n - 1].prefix.read(start, stop)
        for shorter in reversed(self._levels[: n - 1]):
            first = int(prefix[0])
            last = int(prefix[-1])
            place = prefix - np.uint32(first)
            columns.append(shorter.word.read(first, last + 1)[place])
            prefix = shorter.prefix.read(first, last + 1)[place]
        kept = self._kept(n, start, stop)
        words: Ints = np.stack(columns[::-1], axis=1)[kept].astype(np.int64)
        # rounding may leave a probability just above 1, whose logarithm readers of ARPA files
        # refuse
        log_prob = np.minimum(np.log10(estimate.prob.read(start, stop)), 0.0)[kept]
        if n == len(self.estimates):
            return NgramLines(words, log_prob, NONE)
        log_backoff = np.log10(estimate.backoff.read(start, stop))[kept]
        return NgramLines(words, log_prob, log_backoff)
