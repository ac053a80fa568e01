"""Source sentences ready for a search: the options of their spans, rows of the distortion table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from campanula.formats.arrays.types import Ids, Ints
from campanula.formats.model.model import Model
from campanula.formats.records.texts import Texts
from campanula.formats.text.words import split_byte_words
from campanula.stages.decoding.left_out.leave_one_out import LeaveOneOut
from campanula.stages.decoding.left_out.own_options import OwnOptions
from campanula.stages.decoding.option_store import OptionStore

BATCH = 64  # sentences whose options are prepared in one call of the kernels
NO_WORDS = Texts(b"", np.zeros(1, np.int64))


@dataclass(frozen=True)
class SourceSentence:
    """First option and number of options of each span (n, longest), by start and length - 1.

    source (n,): the words; jump_row (n + 1,): rows of the distortion table, if there is one, for
    the sentence's start and its words; own: the sentence's own options, with leave-one-out, whose
    numbers `first` then has; None: the numbers are those of the store.
    """

    sid: int
    first: Ids
    count: Ids
    source: Texts = NO_WORDS
    jump_row: Ints | None = None
    own: OwnOptions | None = None

    def in_store(self, option: Ints) -> Ints:
        """Return the numbers in the store (n,) of options of the sentence."""
        return option if self.own is None else self.own.number[option]


def source_sentences(
    lines: Iterable[str], model: Model, store: OptionStore, leave_one_out: LeaveOneOut | None = None
) -> Iterator[SourceSentence]:
    """Yield a sentence for every line, in order; its options are added to the store.

    leave_one_out: chooses the options instead; raises DataError as it does.
    """

    def described(words: list[bytes]) -> tuple[Texts, Ints | None]:
        return Texts.of(word.decode() for word in words), model.jump_rows(words)

    if leave_one_out is not None:
        for sid, words, own in leave_one_out.sentences(lines, BATCH):
            yield SourceSentence(sid, own.first, own.count, *described(words), own)
        return
    numbered = enumerate(lines)
    while batch := list(islice(numbered, BATCH)):
        texts = [split_byte_words(line.encode()) for _, line in batch]
        spans = store.spans(texts)
        for (sid, _), words, (first, count) in zip(batch, texts, spans, strict=True):
            yield SourceSentence(sid, first, count, *described(words))
