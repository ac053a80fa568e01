"""Splits all lines of a block into fields at once, if all have the same number of fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Bytes, Flags, Floats, Ints
from campanula.formats.nbest.blocks import NEWLINE
from campanula.formats.nbest.decimals import MARGIN, decimals
from campanula.formats.nbest.sentence_ids import SentenceIds
from campanula.formats.records.texts import Texts

BLANK = ord(" ")
BAR = ord("|")
TAB = ord("\t")
MAX_DIGITS = 8  # most digits of sentence numbers that are read all at once
PLAIN_ID = re.compile(rb"(?!-[0-9]+$)[^ \t|]+")


class Layout(NamedTuple):
    """The layout of the lines of a list.

    size: number of fields; features, score, others: places of the features, of the score (None
    without one) and of further fields; mark: ends a label; widths: labels with the number of their
    values.
    """

    size: int
    features: int
    score: int | None
    others: tuple[int, ...]
    mark: str
    widths: list[tuple[str | None, int]]


class FieldLines(NamedTuple):
    """One field of all lines: line i is `byte[start[i]:start[i + 1] - 1]`, then a line end.

    MARGIN blanks precede the first, so that decimals can read whole words there.
    """

    byte: Bytes
    start: Ints

    @classmethod
    def of(cls, fields: Sequence[bytes]) -> FieldLines:
        """Make lines of texts that have no line ends."""
        lengths = np.fromiter(map(len, fields), np.int64, len(fields))
        return cls.joined(fields, lengths)

    @classmethod
    def joined(cls, fields: Sequence[bytes], lengths: Ints) -> FieldLines:
        """Make lines of texts with these lengths (n,)."""
        text = b"".join((b" " * MARGIN, b"\n".join(fields), b"\n"))
        return cls(np.frombuffer(text, np.uint8), pointer_of(lengths + 1) + MARGIN)

    @property
    def size(self) -> int:
        """Number of lines."""
        return len(self.start) - 1


class Cut(NamedTuple):
    """The fields (n,) of the lines of a block; others: further fields by place.

    features: as text, or the values (width, n) of all names in natural order.
    """

    sid: Ints
    text: Texts
    score: Floats | None
    others: dict[int, Texts]
    features: FieldLines | Floats


Cutter: TypeAlias = Callable[[Layout], Cut | None]
"""Splits a block as `cut` does, with features as values; None if a line has another layout.

It may return None for blocks that `cut` can split.
"""


def cut(data: bytes, layout: Layout, ids: SentenceIds) -> Cut | None:
    """Split whole lines into fields; None if a line has another layout.

    Ids of sentences are added to `ids`.
    """
    data = b" " * MARGIN + data
    byte = np.frombuffer(data, np.uint8)
    bounds = _bounds(byte, layout.size)
    if bounds is None:
        return None
    start, end = bounds
    score = None
    place = layout.score
    if place is not None:
        score = decimals(byte, start[place], end[place])
    if score is None and place is not None:
        return None
    sid = _numbers(byte, start[0], end[0])
    if sid is None:
        tokens = _slices(data, start[0], end[0])
        if not all(map(PLAIN_ID.fullmatch, tokens)):
            return None
        sid = ids.keys(tokens)
    others = {place: _texts(data, start[place], end[place]) for place in layout.others}
    first = start[layout.features]
    last = end[layout.features]
    features = FieldLines.joined(_slices(data, first, last), last - first)
    return Cut(sid, _texts(data, start[1], end[1]), score, others, features)


def _bounds(byte: Bytes, size: int) -> tuple[Ints, Ints] | None:
    """Return starts and ends (size, n) of all fields; None if a line has more or fewer."""
    newline = np.flatnonzero(byte == NEWLINE)
    single = np.flatnonzero(byte == BAR)
    # the first of three bars in a row, with blanks around the three
    bar = single[:-2][single[2:] - single[:-2] == 2] if len(single) > 2 else single[:0]
    bar = bar[(byte[bar - 1] == BLANK) & (byte[bar + 3] == BLANK)]
    # ` ||| ` has five bytes: bars nearer than that share a blank, which is for the slower reader
    if len(bar) != len(newline) * (size - 1) or (np.diff(bar) < 5).any():
        return None
    first = np.concatenate([[MARGIN], newline[:-1] + 1])
    bars = bar.reshape(len(newline), size - 1).T
    start = np.concatenate([first[None], bars + 4])
    end = np.concatenate([bars - 1, newline[None]])
    return (start, end) if (start <= end).all() else None


def _slices(data: bytes, start: Ints, end: Ints) -> list[bytes]:
    return [data[a:b] for a, b in zip(start.tolist(), end.tolist(), strict=True)]


def _texts(data: bytes, start: Ints, end: Ints) -> Texts:
    """Return the texts of fields, without the blanks and tabs around them."""
    byte = np.frombuffer(data, np.uint8)
    # copies, since both are moved in place, and the caller goes on with its own
    start = start.copy()
    end = end.copy()
    for bound, before, step in ((end, 1, -1), (start, 0, 1)):
        while len(more := np.flatnonzero((start < end) & _is_blank(byte[bound - before]))):
            bound[more] += step
    return Texts(b"".join(_slices(data, start, end)), pointer_of(end - start))


def _is_blank(byte: Bytes) -> Flags:
    blank: Flags = (byte == BLANK) | (byte == TAB)
    return blank


def _numbers(byte: Bytes, start: Ints, end: Ints) -> Ints | None:
    """Return the numbers of all sentences; None if one is not a number as Python writes it."""
    length = end - start
    if not len(length) or length.min() < 1 or length.max() > MAX_DIGITS:
        return None
    # 007 is an id, not a number (sentence_ids.py)
    if ((byte[start] == ord("0")) & (length > 1)).any():
        return None
    # bytes before a shorter number are read, too: there are MARGIN of them before the first line
    last = byte[end[:, None] - np.arange(int(length.max()), 0, -1)]  # (n, longest)
    inside = np.arange(int(length.max()), 0, -1) <= length[:, None]  # of the number, not before it
    if ((last < ord("0")) | (last > ord("9")))[inside].any():
        return None
    digits = np.where(inside, last, ord("0")).astype(np.int64) - ord("0")
    sid: Ints = digits @ 10 ** np.arange(digits.shape[1] - 1, -1, -1)
    return sid
