"""Features of a block whose lines have the same labels in the same order, without a loop over them.

Lists of a decoder with dense features are like this.  Blanks, line ends and marks cut the text into
tokens; the token in column k of every line is the label, or the number, that the first line has
there.

Nothing is taken on trust: that the labels are the same, in the same places between the numbers,
and that every number is one and finite, is checked for every line.  When anything is unlike the
first line the answer is None.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Floats, Ints
from campanula.formats.feature_names.dense import names_of
from campanula.formats.nbest.decimals import decimals
from campanula.formats.nbest.fields import FieldLines, Layout
from campanula.formats.nbest.rows import natural_order
from campanula.formats.records.features import Features
from campanula.formats.records.names import Names

BLANK = 32


def dense_features(lines: FieldLines, layout: Layout, names: Names) -> Features | None:
    """Features of all lines, or None when they are not all laid out like that."""
    value = _values(lines, layout)
    return None if value is None else named(value[natural(layout)], layout, names)


def natural(layout: Layout) -> list[int]:
    """The numbers of a line in the natural order of their names."""
    written = _written(layout)
    return sorted(range(len(written)), key=lambda place: natural_order(written[place]))


def named(value: Floats, layout: Layout, names: Names) -> Features:
    """Features of values (width, n) in natural order; new names are added to the table."""
    written = _written(layout)
    ids = np.array([names.id(written[place]) for place in natural(layout)], np.int32)
    return Features.of_dense(ids, value)


def _written(layout: Layout) -> list[str]:
    """Names of a line's numbers."""
    return [name for label, width in layout.widths for name in names_of(label, width)]


def _values(lines: FieldLines, layout: Layout) -> Floats | None:
    """Values (width, n) of the features."""
    columns: list[str | None] = []  # labels, and None for a number
    for label, width in layout.widths:
        columns += [None] * width if label is None else [label, *[None] * width]
    found = tokens(lines, layout.mark, len(columns))
    if found is None:
        return None
    start, end, marked = found
    labels = [place for place, label in enumerate(columns) if label is not None]
    if marked != len(labels) * lines.size:
        return None
    for place in labels:
        text = f"{columns[place]}{layout.mark}".encode()
        if not _are(lines.byte, start[place], end[place], text):
            return None
    numbers = [place for place, label in enumerate(columns) if label is None]
    value = decimals(lines.byte, start[numbers].reshape(-1), end[numbers].reshape(-1))
    return None if value is None else value.reshape(len(numbers), lines.size)


def tokens(lines: FieldLines, mark: str, width: int = 0) -> tuple[Ints, Ints, int] | None:
    """Starts and ends of what stands between blanks, marks and line ends, and how many marks.

    Each is (width, n), or without a width (n_tokens,).  None when there are other blanks, or lines
    of other widths.
    """
    byte = lines.byte
    if np.count_nonzero(byte < BLANK) != lines.size:
        return None
    is_mark = byte == ord(mark)
    between = byte <= BLANK
    between |= is_mark
    edge = np.flatnonzero(between[1:] != between[:-1])
    edge += 1
    marks = int(np.count_nonzero(is_mark))
    if not width:
        return edge[::2], edge[1::2], marks
    if len(edge) != 2 * lines.size * width:
        return None
    bounds = np.ascontiguousarray(edge.reshape(lines.size, width, 2).transpose(2, 1, 0))
    start, end = bounds
    inside = (start[0] >= lines.start[:-1]).all() and (end[-1] < lines.start[1:]).all()
    return (start, end, marks) if inside else None


def _are(byte: Bytes, start: Ints, end: Ints, label: bytes) -> bool:
    """Whether all of these tokens, with the byte behind them, are the label with its mark."""
    if (end - start != len(label) - 1).any():
        return False
    shape = (len(byte) - len(label) + 1,)
    window = np.ndarray(shape, f"S{len(label)}", byte.data, strides=(1,))
    return bool((window[start] == label).all())
