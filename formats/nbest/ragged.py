"""Features of a block whose lines have labels of their own, without a loop over their tokens.

Lists with sparse features are like this.  The tokens of all lines are told by whether a mark stands
behind them: labels, each with the values that follow it.  When that is not all there is (values
before the first label, marks within names, a number that is none, another number of values than
before) the answer is None.
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
    """Features of all lines, all of them sparse, or None."""
    found = tokens(lines, labels.mark)
    if found is None:
        return None
    start, end, marks = found
    is_label = lines.byte[end] == ord(labels.mark)
    if np.count_nonzero(is_label) != marks:
        return None
    label, number = np.flatnonzero(is_label), np.flatnonzero(~is_label)
    value = decimals(lines.byte, start[number], end[number])
    owner = np.cumsum(is_label)[number] - 1  # of every value, its label
    if value is None or (len(owner) and int(owner[0]) < 0):
        return None
    line = np.repeat(np.arange(lines.size), np.diff(np.searchsorted(start, lines.start)))
    row = line[number]
    if (line[label][owner] != row).any():
        return None
    feature = _features(lines.byte, start[label], end[label], owner, labels, names)
    if feature is None:
        return None
    key = (row * len(names) + feature).astype(np.uint64)
    if (representatives(key) != np.arange(len(key))).any():
        return None
    return all_sparse(pointer_of(np.bincount(row, minlength=lines.size)), feature, value)


def _features(
    byte: Bytes, start: Ints, end: Ints, owner: Ints, labels: Labels, names: Names
) -> Ids | None:
    """Feature ids of all values; None when a label has none, or not as many as elsewhere."""
    width = np.bincount(owner, minlength=len(start))
    place = equal_words(byte, start, end)
    if place is None or (width == 0).any() or (width[place] != width).any():
        return None
    distinct = np.flatnonzero(place == np.arange(len(place)))
    known = width[distinct].tolist()
    bounds = zip(start[distinct].tolist(), end[distinct].tolist(), strict=True)
    text = byte.tobytes()
    ids = labels.ids((text[a:b] for a, b in bounds), known, names)
    if ids is None:
        return None
    first = np.zeros(len(place), np.int64)  # of the ids of a distinct label
    first[distinct] = pointer_of(known)[:-1]
    among = np.arange(len(owner)) - pointer_of(width)[:-1][owner]  # the label's values
    feature: Ids = np.array(ids, np.int32)[first[place][owner] + among]
    return feature
