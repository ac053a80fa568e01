"""Training text in step with the source sentences: their translations and word links."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from campanula.formats.files import display_name
from campanula.formats.model.vocabulary import words_of
from campanula.formats.text.alignments import Alignments, read_alignments
from campanula.formats.text.parts import Text, refuse_other_parts
from campanula.stages.parallel_text import refuse_other_length, refuse_outside

Sentences = list[list[bytes]]


@dataclass(frozen=True)
class TrainingText:
    """The files of a word-aligned text; the source is for messages, its lines are given."""

    source: str
    target: str
    alignment: str

    def names(self) -> tuple[str, str, str]:
        """Names of the three in messages."""
        return display_name(self.source), display_name(self.target), display_name(self.alignment)

    def refuse_unequal(self) -> None:
        """Raise DataError now, if the files show by themselves that their lines do not fit."""
        paths = (self.source, self.target, self.alignment)
        if all(os.path.isfile(path) or os.path.isdir(path) for path in paths):
            texts = [Text(path) for path in paths]
            self._compare(*(sum(1 for _ in text) for text in texts))
            for text in texts[1:]:
                refuse_other_parts(text, texts[0])

    def batches(self, lines: Iterable[str], size: int) -> Iterator[Batch]:
        """Yield the pairs, `size` at a time; raises DataError for files that do not fit."""
        three = [iter(lines), iter(Text(self.target)), iter(Text(self.alignment))]
        first = 0
        while True:
            parts = [list(islice(part, size)) for part in three]
            n = [len(part) for part in parts]
            if min(n) < max(n):
                rest = [sum(1 for _ in part) for part in three]
                self._compare(*(first + a + b for a, b in zip(n, rest, strict=True)))
            if not parts[0]:
                return
            yield self._batch(first, *parts)
            first += n[0]

    def _batch(self, first: int, source: list[str], target: list[str], links: list[str]) -> Batch:
        sources = [words_of(line.encode()) for line in source]
        targets = [words_of(line.encode()) for line in target]
        alignments = read_alignments(links, self.names()[2], first + 1)
        n_source, n_target = (np.array([len(s) for s in text]) for text in (sources, targets))
        refuse_outside(self.alignment, n_source, n_target, alignments, first + 1)
        return Batch(first, sources, targets, alignments)

    def _compare(self, n_source: int, n_target: int, n_links: int) -> None:
        refuse_other_length(self.target, n_target, self.source, n_source)
        refuse_other_length(self.alignment, n_links, self.source, n_source)


@dataclass(frozen=True)
class Batch:
    """Sentence pairs from number `first` on."""

    first: int
    source: Sentences
    target: Sentences
    alignments: Alignments

    def pair(self, i: int) -> Batch:
        """Return one of the pairs alone."""
        links = self.alignments
        part = slice(links.start[i], links.start[i + 1])
        alone = Alignments(
            links.source[part], links.target[part], np.array([0, part.stop - part.start])
        )
        return Batch(self.first + i, [self.source[i]], [self.target[i]], alone)
