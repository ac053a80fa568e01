"""A text as word numbers in a scratch file; only its distinct words are in memory.

The words and their numbers are those of formats/text/corpus.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError
from campanula.formats.text.corpus import WordNumbering, found_reserved, sorted_words
from campanula.stages.estimating.scratch import FileColumn

LENGTHS = 1 << 16  # sentences whose lengths are read at once


class ScratchText:
    """Sentences as numbers of `words`, in files; raises DataError as read_corpus does."""

    def __init__(
        self,
        numbered: WordNumbering,
        name: str,
        reserved: Sequence[str],
        folder: str,
    ) -> None:
        self._token = FileColumn(folder, "<u4")
        self._length = FileColumn(folder, "<u4")
        for token, length in numbered.batches():
            self._token.append(token)
            self._length.append(length)
        # words are numbered as they come; their ranks in the sorted order are known only now, so
        # the file keeps the first numbers and `sentences` translates
        self.words, self._rank = sorted_words(numbered.words(), reserved)
        self._refuse(name, [word for word in reserved if word in numbered.words()])

    def __len__(self) -> int:
        return self._length.size

    @property
    def n_tokens(self) -> int:
        """Number of words of all sentences."""
        return self._token.size

    def sentences(self, n_tokens: int) -> Iterator[tuple[Ints, Ints]]:
        """Yield the word numbers of some sentences, about n_tokens, and pointers (n + 1,)."""
        place = 0
        for _, lengths in self._length.pieces(LENGTHS):
            ends = np.cumsum(lengths.astype(np.int64))
            first = 0
            while first < len(lengths):
                before = int(ends[first - 1]) if first else 0
                # a sentence longer than n_tokens is given alone, or the loop would not end
                last = max(first + 1, int(np.searchsorted(ends, before + n_tokens, "right")))
                start = pointer_of(lengths[first:last])
                yield self._rank[self._token.read(place, place + int(start[-1]))], start
                place += int(start[-1])
                first = last

    def _refuse(self, name: str, reserved: Sequence[str]) -> None:
        """Raise DataError, with its line, for a reserved word; the text has all in `reserved`."""
        if not reserved:
            return
        number = self.words.index(reserved[0])
        line = 0
        for token, start in self.sentences(LENGTHS):
            place = np.flatnonzero(token == number)
            if len(place):
                line += int(np.searchsorted(start, place[0], "right"))
                raise DataError(name, f"line {line}", found_reserved(reserved[0]))
            line += len(start) - 1
        raise AssertionError(reserved)
