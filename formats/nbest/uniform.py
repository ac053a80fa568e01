"""Features of a block whose lines all have the same labels, without a loop over its hypotheses.

Lists of a decoder with dense features are like this.  Labels are found by their marks, compared,
and overwritten with blanks; what is left are the numbers, in rows.

Nothing is taken on trust: that the labels are the same, in the same places between the numbers,
and that every number is one and finite, is checked for every line.  When anything is unlike the
first line the answer is None.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from formats.columns import Floats, Ints
from formats.features import Features
from formats.names import Names
from formats.nbest.fields import Layout
from formats.nbest.labels import names_of
from formats.nbest.rows import natural_order

BLANK, NEWLINE = 32, 10


def dense_features(fields: Sequence[bytes], layout: Layout, names: Names) -> Features | None:
    """Features of all lines, or None when they are not all laid out like that."""
    value = _values(_lines(fields), len(fields), layout)
    if value is None:
        return None
    written = [name for label, width in layout.widths for name in names_of(label, width)]
    order = sorted(range(len(written)), key=lambda place: natural_order(written[place]))
    ids = np.array([names.id(written[place]) for place in order], np.int32)
    return Features.of_dense(ids, np.ascontiguousarray(value.T[order]))


def _lines(fields: Sequence[bytes]) -> bytes:
    """One field of all lines, each after a line end; the last field of a line has its own."""
    between = b"" if fields[0].endswith(b"\n") else b"\n"
    return b"\n" + between.join(fields).removesuffix(b"\n")


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
