"""Reads features of lines with different labels, all lines of a block at once.

Lists with sparse features are like this.  A token with a mark after it is a label, any other a
value of the last label.  The result is None for anything else: values before the first label of a
line, marks within names, tokens that are no numbers, or a label with another number of values
than before.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.formats.nbest.decimals import decimals
from campanula.formats.nbest.fields import FieldLines
from campanula.formats.nbest.grouping import equal_words, representatives
from campanula.formats.nbest.labels import Labels
from campanula.formats.nbest.rows import all_sparse
from campanula.formats.nbest.uniform import tokens
from campanula.formats.records.features import Features
from campanula.formats.records.names import Names


def ragged_features(lines: FieldLines, labels: Labels, names: Names) -> Features | None:
    """Return the features of all lines as sparse ones, or None."""
    bounds = tokens(lines, labels.mark)
    if bounds is None:
        return None
    start, end, marks = bounds
    is_label = lines.byte[end] == ord(labels.mark)
    if np.count_nonzero(is_label) != marks:
        return None
    label = np.flatnonzero(is_label)
    number = np.flatnonzero(~is_label)
    value = decimals(lines.byte, start[number], end[number])
    owner = np.cumsum(is_label)[number] - 1  # number of the label before each value
    if value is None or (len(owner) and int(owner[0]) < 0):
        return None
    line = np.repeat(np.arange(lines.size), np.diff(np.searchsorted(start, lines.start)))
    row = line[number]
    if (line[label][owner] != row).any():  # a value before the first label of its line
        return None
    feature = _features(lines.byte, start[label], end[label], owner, labels, names)
    if feature is None:
        return None
    # a line with a feature twice has equal keys
    key = (row * len(names) + feature).astype(np.uint64)
    if (representatives(key) != np.arange(len(key))).any():
        return None
    return all_sparse(pointer_of(np.bincount(row, minlength=lines.size)), feature, value)


def _features(
    byte: Bytes, start: Ints, end: Ints, owner: Ints, labels: Labels, names: Names
) -> Ids | None:
    """Return the feature ids of all values; None if a label has none, or another number before.

    owner: the label of each value.
    """
    width = np.bincount(owner, minlength=len(start))
    place = equal_words(byte, start, end)
    if place is None or (width == 0).any() or (width[place] != width).any():
        return None
    distinct = np.flatnonzero(place == np.arange(len(place)))
    widths = width[distinct].tolist()
    bounds = zip(start[distinct].tolist(), end[distinct].tolist(), strict=True)
    text = byte.tobytes()
    ids = labels.ids((text[a:b] for a, b in bounds), widths, names)
    if ids is None:
        return None
    first = np.zeros(len(place), np.int64)  # place in `ids` of a distinct label's first id
    first[distinct] = pointer_of(widths)[:-1]
    rank = np.arange(len(owner)) - pointer_of(width)[:-1][owner]  # of a value among its label's
    feature: Ids = np.array(ids, np.int32)[first[place][owner] + rank]
    return feature
