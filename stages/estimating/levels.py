"""N-grams of a text by length, in files, from one sort of its places by the words that follow.

    row of a place: the words from there on, up to the longest n-gram, from 1; 0 behind </s>
    level n: the distinct first n words of rows, in order

As kernels/bitext/ngrams.py does in memory, and with the same numbers.
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

PLACE = 80  # bytes that a place takes in memory while its row is made, but for the row


@dataclass(frozen=True, slots=True)
class Level:
    """The n-grams of one length in files (K,): place of the prefix in the level below, last word,
    how often each occurs.
    """

    prefix: FileColumn
    word: FileColumn
    times: FileColumn

    @classmethod
    def empty(cls, folder: str) -> Level:
        """A level without n-grams."""
        return cls(*(FileColumn(folder, "<u4") for _ in range(3)))

    def __len__(self) -> int:
        return self.prefix.size


def levels_of(
    text: ScratchText, specials: Specials, order: int, folder: str, memory: int
) -> list[Level]:
    """The levels of a text, as many as occur, at most `order`."""
    sorted_rows = SortedRows(RowForm(order + 1, order, summed=True), folder, memory // 2)
    for token, start in text.sentences(max(1, memory // 2 // (PLACE + 4 * (order + 1)))):
        sorted_rows.add(_rows(*with_boundaries(token, start, specials), order))
    splitter = _Splitter(len(text.words), order, folder)
    for rows in sorted_rows.blocks():
        splitter.add(rows)
    return splitter.levels()


def _rows(token: Ints, start: Ints, order: int) -> Rows:
    """Rows (n_tokens, order + 1) of all places, each counted once."""
    left = np.repeat(start[1:], np.diff(start)) - np.arange(len(token))
    rows = np.zeros((len(token), order + 1), np.uint32)
    for k in range(min(order, len(token))):
        size = len(token) - k
        rows[:size, k] = (token[k:] + 1) * (left[:size] > k)
    rows[:, -1] = 1
    return rows


class _Splitter:
    """Takes blocks of sorted rows and writes the levels; words are numbered by the vocabulary."""

    def __init__(self, n_words: int, order: int, folder: str) -> None:
        self._order = order
        self._levels = [Level.empty(folder) for _ in range(order)]
        self._last = np.zeros((1, order), np.uint32)
        self._pending = [0] * order  # times of the last n-gram, of which more rows may come
        self._times = np.zeros(n_words, np.int64)

    def add(self, rows: Rows) -> None:
        """Take rows behind those before."""
        if not len(rows):
            return
        words, count = rows[:, : self._order], rows[:, -1].astype(np.int64)
        self._times += np.bincount(words[:, 0] - np.uint32(1), count, len(self._times)).astype(int)
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
        """Write how often n-grams occur whose last row has come."""
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
        """All levels that have n-grams; that of words is the whole vocabulary."""
        words = self._levels[0]
        words.prefix.append(np.zeros(len(self._times)))
        words.word.append(np.arange(len(self._times)))
        words.times.append(self._times)
        for level, pending in zip(self._levels, self._pending, strict=True):
            if pending:
                level.times.append(np.array([pending]))
        return [level for level in self._levels if len(level)]


def contexts(level: Level, size: int) -> Iterator[tuple[int, Ints]]:
    """Yield the place of some n-grams and their prefixes, all n-grams of a prefix together.

    There are about `size` of them at once, or as many as one prefix has.
    """
    start = 0
    held = np.zeros(0, np.int64)
    for _, piece in level.prefix.pieces(size):
        held = np.concatenate([held, piece.astype(np.int64)])
        cut = int(np.searchsorted(held, held[-1], "left"))
        if cut:
            yield start, held[:cut]
            start, held = start + cut, held[cut:]
    if len(held):
        yield start, held


def joined(
    blocks: Iterable[Rows], level: Level, size: int
) -> Iterator[tuple[int, Ints, Rows, Ints]]:
    """Yield sorted rows (prefix, word, ...) with the numbers of these n-grams in a level.

    Every piece of the level comes once: its first number and how many rows each of its n-grams has
    (n,), the rows, and their numbers.  All n-grams of rows must be there.
    """
    waiting = iter(blocks)
    rows = np.zeros((0, 3), np.uint32)
    for start, prefix in level.prefix.pieces(size):
        stop = start + len(prefix)
        key = prefix.astype(np.int64) << 32 | level.word.read(start, stop)
        taken = []
        more = True
        while more:
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
