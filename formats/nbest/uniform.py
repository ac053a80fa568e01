"""Parse a block whose lines are all laid out alike, without a loop over its hypotheses.

Lists of a decoder with dense features are like this: the same labels with as many values in every
line.  Fields are cut by `bytes.split`.  In the features of all lines, labels are found by their
marks, compared, and overwritten with blanks; what is left are the numbers, in rows.

Nothing is taken on trust: that the labels are the same, in the same places between the numbers,
and that every number is one and finite, is checked for every line.  When anything is unlike the
first line the answer is None, and the block is read line by line.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.columns import Floats, Ints
from formats.features import Features
from formats.joining import pointer_of
from formats.names import Names
from formats.nbest.labels import names_of
from formats.nbest.rows import Piece, natural_order
from formats.texts import Texts

BLANK, NEWLINE = 32, 10
ALIGNMENTS = re.compile(rb"(?:\d+-\d+[ \n]+|\n+)*")


@dataclass(frozen=True, slots=True)
class Layout:
    """Number of fields; places of features, score and alignment; mark and labels with widths."""

    size: int
    features: int
    score: int | None
    alignment: int | None
    mark: str
    widths: list[tuple[str | None, int]]


def parse(data: bytes, layout: Layout, names: Names) -> Piece | None:
    """Hypotheses of whole lines, or None when they are not all laid out like that."""
    count, size = data.count(b"\n"), layout.size
    fields = data.replace(b"\n", b"\n ||| ").split(b" ||| ")[:-1]
    if len(fields) != count * size or b"||| |||" in data:
        return None
    if b"".join(fields[size - 1 :: size]).count(b"\n") != count:
        return None
    sid = _sentence_ids(fields[::size])
    score = None if layout.score is None else _scores(fields[layout.score :: size])
    value = _values(_lines(fields[layout.features :: size]), count, layout)
    if sid is None or value is None or (score is None and layout.score is not None):
        return None
    others = {}
    if layout.alignment is not None:
        alignment = fields[layout.alignment :: size]
        if not ALIGNMENTS.fullmatch(b"".join(alignment)):
            return None
        others["alignment"] = _texts(alignment)
    features = _features(value, layout, names)
    return Piece(sid, _texts(fields[1::size]), features, score, others)


def _lines(fields: Sequence[bytes]) -> bytes:
    """One field of all lines, each after a line end; the last field of a line has its own."""
    return b"\n" + (b"\n" if not fields[0].endswith(b"\n") else b"").join(fields).removesuffix(
        b"\n"
    )


def _texts(fields: Sequence[bytes]) -> Texts:
    stripped = [field.strip(b" \t\n") for field in fields]
    lengths = np.fromiter(map(len, stripped), np.int64, len(stripped))
    return Texts(b"".join(stripped), pointer_of(lengths))


def _sentence_ids(fields: Sequence[bytes]) -> Ints | None:
    distinct = {*fields}
    if not all(field.isdigit() and len(field) < 19 for field in distinct):
        return None
    number = {field: int(field) for field in distinct}
    return np.array([number[field] for field in fields], np.int64)


def _scores(fields: Sequence[bytes]) -> Floats | None:
    try:
        values = np.array([float(field) for field in fields])
    except ValueError:
        return None
    return values if np.isfinite(values).all() and b"_" not in b"".join(fields) else None


def _values(text: bytes, count: int, layout: Layout) -> Floats | None:
    """Values (count, width) of features; every line of the text begins with its newline."""
    byte = np.frombuffer(bytearray(text), np.uint8)
    labels = [f"{label}{layout.mark}".encode() for label, _ in layout.widths if label is not None]
    marks = np.flatnonzero(byte == ord(layout.mark))
    if len(marks) != count * len(labels):
        return None
    mark: Ints = marks.reshape(count, len(labels))
    if not all(_erase(byte, label, at) for label, at in zip(labels, mark.T, strict=True)):
        return None
    blank = byte <= BLANK
    starts = np.flatnonzero(blank[:-1] > blank[1:]) + 1
    width = sum(width for _, width in layout.widths)
    newline = np.flatnonzero(byte == NEWLINE)
    others = np.count_nonzero(blank) - np.count_nonzero(byte == BLANK) - len(newline)
    if others or len(starts) != count * width or len(newline) != count:
        return None
    start: Ints = starts.reshape(count, width)
    if not _in_place(start, mark, newline, layout):
        return None
    try:
        values = np.fromstring(byte.tobytes(), sep=" ")
    except ValueError:
        return None
    if len(values) != count * width or not math.isfinite(float(np.abs(values).max(initial=0.0))):
        return None
    return values.reshape(count, width)


def _erase(byte: npt.NDArray[np.uint8], label: bytes, mark: Ints) -> bool:
    """Blank out a label that ends at each mark; False when it does not, or is part of a word."""
    begin = mark - len(label) + 1
    if len(begin) and (int(begin.min()) < 1 or (byte[begin - 1] > BLANK).any()):
        return False
    kind = f"S{len(label)}"
    window = np.ndarray((len(byte) - len(label) + 1,), kind, byte.data, strides=(1,))
    if (window[begin] != label).any():
        return False
    window[begin] = b" " * len(label)
    return True


def _in_place(start: Ints, mark: Ints, newline: Ints, layout: Layout) -> bool:
    """Whether each line's labels and numbers follow each other as the layout says.

    start (n, width) of the numbers, mark (n, n_labels), newline (n,) before each line.
    """
    columns, number, label = [newline], 0, 0
    for name, width in layout.widths:
        if name is not None:
            columns.append(mark[:, label])
            label += 1
        columns.extend((start[:, number], start[:, number + width - 1]))
        number += width
    ascending = all((a <= b).all() for a, b in itertools.pairwise(columns))
    return ascending and bool((columns[-1][:-1] < newline[1:]).all())


def _features(value: Floats, layout: Layout, names: Names) -> Features:
    """Dense features in the natural order of their names."""
    written = [name for label, width in layout.widths for name in names_of(label, width)]
    order = sorted(range(len(written)), key=lambda place: natural_order(written[place]))
    ids = np.array([names.id(written[place]) for place in order], np.int32)
    return Features.of_dense(ids, np.ascontiguousarray(value.T[order]))
