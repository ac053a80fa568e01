"""Reads features of lines with the same labels in the same order, all lines of a block at once.

Lists of a decoder with dense features are like this.  Blanks, line ends and marks separate tokens;
the token in column k of every line is a number, or the same label as in the first line.

All of this is checked for every line: that the labels are the same and at the same places, and that
every number is finite.  If any line differs from the first, the result is None.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Floats, Ints
from campanula.formats.feature_names.dense import names_of
from campanula.formats.nbest.decimals import decimals
from campanula.formats.nbest.fields import BLANK, FieldLines, Layout
from campanula.formats.nbest.rows import natural_order
from campanula.formats.records.features import Features
from campanula.formats.records.names import Names


def dense_features(lines: FieldLines, layout: Layout, names: Names) -> Features | None:
    """Return the features of all lines; None unless all lines have the layout."""
    value = _values(lines, layout)
    return None if value is None else named(value[natural(layout)], layout, names)


def natural(layout: Layout) -> list[int]:
    """Return the places of a line's numbers, in the natural order of their names."""
    written = _written(layout)
    return sorted(range(len(written)), key=lambda place: natural_order(written[place]))


def named(value: Floats, layout: Layout, names: Names) -> Features:
    """Make features of values (width, n) in natural order; new names are added to the table."""
    written = _written(layout)
    ids = np.array([names.id(written[place]) for place in natural(layout)], np.int32)
    return Features.of_dense(ids, value)


def _written(layout: Layout) -> list[str]:
    """Return the names of a line's numbers, in the order of the line."""
    return [name for label, width in layout.widths for name in names_of(label, width)]


def _values(lines: FieldLines, layout: Layout) -> Floats | None:
    """Read the values (width, n) of the features in the order of a line; None if a line differs."""
    columns: list[str | None] = []  # label of each token, None for a number
    for label, width in layout.widths:
        columns += [None] * width if label is None else [label, *[None] * width]
    bounds = tokens(lines, layout.mark, len(columns))
    if bounds is None:
        return None
    start, end, marks = bounds
    labels = [place for place, label in enumerate(columns) if label is not None]
    # marks separate tokens as blanks do, so one that is part of no label shows in the count alone
    if marks != len(labels) * lines.size:
        return None
    for place in labels:
        text = f"{columns[place]}{layout.mark}".encode()
        if not _are(lines.byte, start[place], end[place], text):
            return None
    numbers = [place for place, label in enumerate(columns) if label is None]
    value = decimals(lines.byte, start[numbers].reshape(-1), end[numbers].reshape(-1))
    return None if value is None else value.reshape(len(numbers), lines.size)


def tokens(lines: FieldLines, mark: str, width: int = 0) -> tuple[Ints, Ints, int] | None:
    """Find the tokens between blanks, marks and line ends: return starts, ends, number of marks.

    With a width of n tokens per line, starts and ends are (width, n_lines) and the result is None
    for a line of another width; else they are (n_tokens,).  None, too, for other white space or
    control characters than blanks and line ends.
    """
    byte = lines.byte
    if np.count_nonzero(byte < BLANK) != lines.size:
        return None
    is_mark = byte == ord(mark)
    between = byte <= BLANK
    between |= is_mark
    # the text begins with blanks and ends with a line end, so starts and ends alternate
    edge = np.flatnonzero(between[1:] != between[:-1])
    edge += 1
    marks = int(np.count_nonzero(is_mark))
    if not width:
        return edge[::2], edge[1::2], marks
    if len(edge) != 2 * lines.size * width:
        return None
    bounds = np.ascontiguousarray(edge.reshape(lines.size, width, 2).transpose(2, 1, 0))
    start, end = bounds
    # the right number of tokens in all may still be one too many here and one too few there
    inside = (start[0] >= lines.start[:-1]).all() and (end[-1] < lines.start[1:]).all()
    return (start, end, marks) if inside else None


def _are(byte: Bytes, start: Ints, end: Ints, label: bytes) -> bool:
    """Whether all of these tokens, with the byte after each, are `label`, which has its mark."""
    if (end - start != len(label) - 1).any():
        return False
    shape = (len(byte) - len(label) + 1,)
    # overlapping strings that begin at every byte, without a copy
    window = np.ndarray(shape, f"S{len(label)}", byte.data, strides=(1,))
    return bool((window[start] == label).all())
