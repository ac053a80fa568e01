"""Training text in step with the source sentences: their translations and word links."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import xxhash

from campanula.formats.files import display_name, is_file, refuse_piped
from campanula.formats.model.array_folder import default_cache
from campanula.formats.model.file_digests import file_digest
from campanula.formats.model.model import Model
from campanula.formats.text.alignments import Alignments, read_alignments
from campanula.formats.text.parts import TextLines, refuse_other_parts
from campanula.formats.text.words import split_byte_words
from campanula.stages.bitext.parallel_text import refuse_other_length, refuse_outside

Sentences = list[list[bytes]]


@dataclass(frozen=True)
class TrainingText:
    """The files of a word-aligned text; `source` is for messages: its lines are passed in."""

    source: str
    target: str
    alignment: str

    def names(self) -> tuple[str, str, str]:
        """Return the names of source, target and alignment in messages."""
        return display_name(self.source), display_name(self.target), display_name(self.alignment)

    def refuse_unequal(self) -> None:
        """Raise DataError for files of different lengths or parts, before any work."""
        paths = (self.source, self.target, self.alignment)
        # a pipe can be read only once, so its length shows later, in `batches`
        if all(is_file(path) or os.path.isdir(path) for path in paths):
            texts = [TextLines(path) for path in paths]
            self._compare(*(sum(1 for _ in text) for text in texts))
            for text in texts[1:]:
                refuse_other_parts(text, texts[0])

    def batches(self, lines: Iterable[str], size: int) -> Iterator[Batch]:
        """Yield the pairs, `size` at a time; raises DataError for files that do not fit.

        lines: those of the source.
        """
        sides = [iter(lines), iter(TextLines(self.target)), iter(TextLines(self.alignment))]
        first = 0
        while True:
            chunks = [list(islice(side, size)) for side in sides]
            n = [len(chunk) for chunk in chunks]
            if min(n) < max(n):  # read on, so that the error has the whole lengths
                rest = [sum(1 for _ in side) for side in sides]
                self._compare(*(first + a + b for a, b in zip(n, rest, strict=True)))
            if not chunks[0]:
                return
            yield self._batch(first, *chunks)
            first += n[0]

    def _batch(self, first: int, source: list[str], target: list[str], links: list[str]) -> Batch:
        sources = [split_byte_words(line.encode()) for line in source]
        targets = [split_byte_words(line.encode()) for line in target]
        alignments = read_alignments(links, self.names()[2], first + 1)
        n_source, n_target = (np.array([len(s) for s in text]) for text in (sources, targets))
        refuse_outside(self.alignment, n_source, n_target, alignments, first + 1)
        return Batch(first, sources, targets, alignments)

    def _compare(self, n_source: int, n_target: int, n_links: int) -> None:
        refuse_other_length(self.target, n_target, self.source, n_source)
        refuse_other_length(self.alignment, n_links, self.source, n_source)


def counts_entry(
    kind: str, layout: int, model: Model, sides: Sequence[str], cache: str | None
) -> str:
    """Return the folder in the cache for counts of a text by the word numbers of a model.

    Its name has a digest of the layout of the counts, the model and the sides of the text.  Raises
    DataError for a side that cannot be read twice.
    """
    cache = cache or default_cache()
    total = xxhash.xxh3_128(f"campanula {kind} {layout} {model.digest}".encode())
    for side in sides:
        for file in TextLines(side).files:
            refuse_piped(file)
            total.update(file_digest(file, cache))
        if len(sides) > 1:
            total.update(b"|")  # where a side ends, since sides may have several files
    return os.path.join(cache, f"{kind}-{total.hexdigest()}")


@dataclass(frozen=True)
class Batch:
    """Sentence pairs from number `first` on."""

    first: int
    source: Sentences
    target: Sentences
    alignments: Alignments

    def pair(self, i: int) -> Batch:
        """Return pair i as a batch of its own."""
        links = self.alignments
        span = slice(links.start[i], links.start[i + 1])
        alone = Alignments(
            links.source[span], links.target[span], np.array([0, span.stop - span.start])
        )
        return Batch(self.first + i, [self.source[i]], [self.target[i]], alone)
