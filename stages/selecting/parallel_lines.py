"""Parallel text line by line: two or three files in lockstep, a batch of lines at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.text.alignments import read_alignments
from campanula.formats.text.parts import TextLines, refuse_other_parts
from campanula.formats.text.words import split_words
from campanula.stages.bitext.parallel_text import Watch, refuse_other_length, refuse_outside

BATCH = 1 << 12  # lines of each file that are held at a time


@dataclass(frozen=True, slots=True)
class LineBatch:
    """Lines of consecutive pairs, those of each file; the first pair is number `first`, from 0."""

    first: int
    lines: tuple[list[str], ...]

    @property
    def source(self) -> list[str]:
        """Lines of the first file."""
        return self.lines[0]


@dataclass(frozen=True, slots=True)
class ParallelLines:
    """The files SOURCE, TARGET and perhaps ALIGNMENT; they may be read again."""

    paths: Sequence[str]

    def batches(self, watch: Watch, label: str) -> Iterator[LineBatch]:
        """Yield all pairs, BATCH at a time; raises DataError for files that do not fit together."""
        texts = [TextLines(path) for path in self.paths]
        sides = [iter(watch(texts[0], label)), *map(iter, texts[1:])]
        first = 0
        while True:
            lines = tuple(_at_most(BATCH, side) for side in sides)
            if len({len(each) for each in lines}) > 1:
                self._refuse_lengths(sides, [first + len(each) for each in lines])
            if not lines[0]:
                break
            batch = LineBatch(first, lines)
            self._check_links(batch)
            yield batch
            first += len(lines[0])
        # only at the end are the parts of all files known
        for text in texts[1:]:
            refuse_other_parts(text, texts[0])

    def _refuse_lengths(self, sides: Sequence[Iterator[str]], read: Sequence[int]) -> None:
        # the rest is counted, since the message gives the lengths of whole files
        totals = [n + sum(1 for _ in side) for n, side in zip(read, sides, strict=True)]
        for path, total in zip(self.paths, totals, strict=True):
            refuse_other_length(path, total, self.paths[0], totals[0])

    def _check_links(self, batch: LineBatch) -> None:
        if len(batch.lines) < 3:
            return
        source, target, links = batch.lines
        number = batch.first + 1
        alignments = read_alignments(links, TextLines(self.paths[2]).name, number)
        refuse_outside(self.paths[2], _lengths(source), _lengths(target), alignments, number)


def batched(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield lines, BATCH at a time."""
    rest = iter(lines)
    while batch := _at_most(BATCH, rest):
        yield batch


def _at_most(size: int, lines: Iterator[str]) -> list[str]:
    return list(islice(lines, size))


def _lengths(lines: Sequence[str]) -> Ints:
    return np.array([len(split_words(line)) for line in lines], np.int64)
