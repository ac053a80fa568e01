"""Words of a text numbered by a kernel, block of lines after block of lines.

The numbers are those of formats/text/corpus.py: Numbering, in a fraction of the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.stages.kernels.text.word_numbers import (
    SIZE,
    USED,
    HashedWords,
    fill_slots,
    number_lines,
)

CAPACITY = 1 << 16  # words, at first; 8 bytes each


class BlockNumbering:
    r"""Numbers of words, in the order in which they occur, of blocks of lines that end in `\n`."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._blocks = blocks
        self._words = _empty(CAPACITY, 8 * CAPACITY)

    def words(self) -> list[str]:
        """Return all words so far, in the order of their numbers."""
        size = int(self._words.filled[SIZE])
        offset = self._words.offset[: size + 1].tolist()
        blob = self._words.blob[: offset[-1]].tobytes()
        return [blob[start:end].decode("utf-8") for start, end in pairwise(offset)]

    def batches(self) -> Iterator[tuple[Ints, Ints]]:
        """Yield the numbers (n_words,) of the words of some lines, and their lengths (n_lines,)."""
        for block in self._blocks:
            n_lines = block.count(b"\n")
            most = (len(block) + 1) // 2  # a word has a byte, and ends at one
            self._words = _with_capacity(self._words, most, len(block))
            token = np.empty(most, np.int32)
            length = np.empty(n_lines, np.int32)
            n_tokens, _ = number_lines(self._words, np.frombuffer(block, np.uint8), token, length)
            yield token[:n_tokens].astype(np.int64), length.astype(np.int64)


def _empty(n_words: int, n_bytes: int) -> HashedWords:
    """Return a table without words, of a capacity of n_words words and n_bytes bytes."""
    bits = max(4, (2 * n_words).bit_length())  # of the hash table, at most half of which is filled
    return HashedWords(
        np.empty(n_bytes, np.uint8),
        np.zeros(n_words + 1, np.int64),
        np.empty(n_words, np.int64),
        np.full(1 << bits, -1, np.int32),
        bits,
        np.zeros(2, np.int64),
    )


def _with_capacity(words: HashedWords, n_words: int, n_bytes: int) -> HashedWords:
    """Return the same words in a table with a capacity of so many words and bytes more."""
    size = int(words.filled[SIZE])
    used = int(words.filled[USED])
    if size + n_words <= len(words.code) and used + n_bytes <= len(words.blob):
        return words
    # at least doubled, so that words are copied a bounded number of times on average
    larger = _empty(
        max(len(words.code), 2 * (size + n_words)), max(len(words.blob), 2 * (used + n_bytes))
    )
    larger.blob[:used] = words.blob[:used]
    larger.offset[: size + 1] = words.offset[: size + 1]
    larger.code[:size] = words.code[:size]
    larger.filled[:] = words.filled
    # slots depend on the size of the table, so they are not copied
    fill_slots(larger)
    return larger
