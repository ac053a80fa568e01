"""N-grams of a text by length, in files, from one sort of the places in the text.

    row of a place: the numbers, from 1, of the words that begin there, as many as the longest
                    n-gram has; 0 behind </s>
    level n: the distinct first n words of rows, in order

The levels have the same numbers as those that kernels/bitext/ngrams.py makes in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.stages.estimating.scratch import FileColumn, Rows
from campanula.stages.estimating.scratch_text import ScratchText
from campanula.stages.estimating.sorted_rows import RowForm, SortedRows
from campanula.stages.kernels.lm.kneser_ney import Specials, with_boundaries

PLACE = 80  # bytes of memory that a place takes while its row is made, beside the row


@dataclass(frozen=True, slots=True)
class Level:
    """The n-grams of one length, in files (K,).

    prefix: place in the level below of the n-gram without its last word.  word: the last word.
    times: how often the n-gram occurs.
    """

    prefix: FileColumn
    word: FileColumn
    times: FileColumn

    @classmethod
    def empty(cls, folder: str) -> Level:
        """Return a level without n-grams."""
        return cls(*(FileColumn(folder, "<u4") for _ in range(3)))

    def __len__(self) -> int:
        return self.prefix.size


def levels_of(
    text: ScratchText, specials: Specials, order: int, folder: str, memory: int
) -> list[Level]:
    """Return the levels of a text that have n-grams, at most `order`."""
    sorted_rows = SortedRows(RowForm(order + 1, order, summed=True), folder, memory // 2)
    for token, start in text.sentences(max(1, memory // 2 // (PLACE + 4 * (order + 1)))):
        sorted_rows.add(_rows(*with_boundaries(token, start, specials), order))
    splitter = _Splitter(len(text.words), order, folder)
    for rows in sorted_rows.blocks():
        splitter.add(rows)
    return splitter.levels()


def _rows(token: Ints, start: Ints, order: int) -> Rows:
    """Return the rows (n_tokens, order + 1) of all places; the last column is the count, 1."""
    left = np.repeat(start[1:], np.diff(start)) - np.arange(len(token))
    rows = np.zeros((len(token), order + 1), np.uint32)
    for k in range(min(order, len(token))):
        size = len(token) - k
        # 1 is added, so that the 0 behind an end of sentence sorts before every word
        rows[:size, k] = (token[k:] + 1) * (left[:size] > k)
    rows[:, -1] = 1
    return rows


class _Splitter:
    """Takes blocks of sorted rows and writes the levels.

    Level 1 has the whole vocabulary, so that the number of a word is its place.
    """

    def __init__(self, n_words: int, order: int, folder: str) -> None:
        self._order = order
        self._levels = [Level.empty(folder) for _ in range(order)]
        self._last = np.zeros((1, order), np.uint32)
        self._pending = [0] * order  # counts of last n-grams, of which more rows may come
        self._times = np.zeros(n_words, np.int64)

    def add(self, rows: Rows) -> None:
        """Take the next rows; they follow those before in the order of the sort."""
        if not len(rows):
            return
        words = rows[:, : self._order]
        count = rows[:, -1].astype(np.int64)
        self._times += np.bincount(words[:, 0] - np.uint32(1), count, len(self._times)).astype(int)
        # an n-gram begins at a row that differs from the row before in one of its first n words
        differs = words != np.concatenate([self._last, words[:-1]])
        opens = np.logical_or.accumulate(differs, axis=1) & (words > 0)
        before = words[:, 0].astype(np.int64) - 1  # numbers of the n-grams one word shorter
        for n in range(2, self._order + 1):
            level = self._levels[n - 1]
            first = np.flatnonzero(opens[:, n - 1])
            level.prefix.append(before[first])
            level.word.append(words[first, n - 1] - np.uint32(1))
            before = level.prefix.size - len(first) - 1 + np.cumsum(opens[:, n - 1])
            self._count(n, first, count * (words[:, n - 1] > 0))
        self._last = words[-1:].copy()

    def _count(self, n: int, first: Ints, count: Ints) -> None:
        """Write the counts of the n-grams whose last row has come.

        first: rows at which n-grams begin.  count (n_rows,): how often each row occurs.
        """
        times = self._levels[n - 1].times
        total = np.concatenate([[0], np.cumsum(count)])
        bounds = total[first]
        if len(first):
            if self._pending[n - 1]:
                times.append(np.array([self._pending[n - 1] + bounds[0]]))
            times.append(np.diff(bounds))
            self._pending[n - 1] = int(total[-1] - bounds[-1])
        else:
            self._pending[n - 1] += int(total[-1])

    def levels(self) -> list[Level]:
        """Return all levels that have n-grams; call it after the last row."""
        words = self._levels[0]
        words.prefix.append(np.zeros(len(self._times)))
        words.word.append(np.arange(len(self._times)))
        words.times.append(self._times)
        for level, pending in zip(self._levels, self._pending, strict=True):
            if pending:
                level.times.append(np.array([pending]))
        return [level for level in self._levels if len(level)]


def contexts(level: Level, size: int) -> Iterator[tuple[int, Ints]]:
    """Yield the place of some n-grams and their prefixes (n,), all n-grams of a prefix together.

    About `size` n-grams come at a time, or as many as one prefix has.
    """
    start = 0
    held = np.zeros(0, np.int64)  # prefixes of which more n-grams may come
    for _, piece in level.prefix.pieces(size):
        held = np.concatenate([held, piece.astype(np.int64)])
        cut = int(np.searchsorted(held, held[-1], "left"))
        if cut:
            yield start, held[:cut]
            start = start + cut
            held = held[cut:]
    if len(held):
        yield start, held


def joined(
    blocks: Iterable[Rows], level: Level, size: int
) -> Iterator[tuple[int, Ints, Rows, Ints]]:
    """Yield sorted rows (prefix, word, ...) with the numbers of these n-grams in a level.

    Every piece of the level comes once, as (the number of its first n-gram, how many rows each of
    its n-grams has (n,), these rows, the numbers of their n-grams).  The level must have all
    n-grams of the rows.
    """
    waiting = iter(blocks)
    rows = np.zeros((0, 3), np.uint32)
    for start, prefix in level.prefix.pieces(size):
        stop = start + len(prefix)
        key = prefix.astype(np.int64) << 32 | level.word.read(start, stop)
        taken = []
        more = True
        while more:
            # prefix and word as one number, for one binary search
            wanted = rows[:, 0].astype(np.int64) << 32 | rows[:, 1]
            cut = int(np.searchsorted(wanted, key[-1], "right"))
            taken.append((rows[:cut], np.searchsorted(key, wanted[:cut])))
            rows = rows[cut:]
            following = None if len(rows) else next(waiting, None)
            more = following is not None
            rows = rows if following is None else following
        number = np.concatenate([place for _, place in taken])
        yield (
            start,
            np.bincount(number, minlength=len(key)),
            np.concatenate([part for part, _ in taken]),
            number + start,
        )
