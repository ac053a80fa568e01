"""Features of a block whose lines have labels of their own, without a loop over their tokens.

Lists with sparse features are like this.  The tokens of all lines are told by whether they end with
the mark: labels, each with the values that follow it.  When that is not all there is (values before
the first label, marks within names, a number that is none, another number of values than before)
the answer is None.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from formats.columns import Floats, Ids, Ints
from formats.features import Features
from formats.joining import pointer_of
from formats.names import Names
from formats.nbest.fields import Lines
from formats.nbest.labels import Labels, names_of
from formats.nbest.rows import compressed

OTHER_BLANKS = (b"\r", b"\x0b", b"\x0c")


def ragged_features(found: Lines, labels: Labels, names: Names) -> Features | None:
    """Features of all lines, all of them sparse, or None."""
    fields = found.byte[16:].tobytes().split(b"\n")[:-1]
    text, mark = b"\n".join(fields), labels.mark.encode()
    if any(blank in text for blank in OTHER_BLANKS):
        return None
    if mark + b" " not in fields[0]:  # the inline form, name=value
        fields = [field.replace(mark, mark + b" ") for field in fields]
    lines = [field.split() for field in fields]
    tokens = list(itertools.chain.from_iterable(lines))
    is_label = _ends_with(tokens, ord(mark))
    label = [token[:-1] for token in itertools.compress(tokens, is_label)]
    value = _values(list(itertools.compress(tokens, ~is_label)))
    if value is None or text.count(mark) != len(label) or b"" in label:
        return None
    line = np.repeat(np.arange(len(lines)), np.fromiter(map(len, lines), np.int64, len(lines)))
    owner = np.cumsum(is_label)[~is_label] - 1  # of every value, its label
    if len(owner) and (int(owner[0]) < 0 or (line[is_label][owner] != line[~is_label]).any()):
        return None
    feature = _features(label, owner, labels, names)
    if feature is None:
        return None
    row = line[~is_label]
    if len(np.unique(row * len(names) + feature)) != len(row):
        return None
    return compressed(pointer_of(np.bincount(row, minlength=len(lines))), feature, value)


def _ends_with(tokens: Sequence[bytes], byte: int) -> npt.NDArray[np.bool_]:
    joined = np.frombuffer(b" ".join(tokens) + b" ", np.uint8)
    last = np.flatnonzero(joined == ord(" ")) - 1 if tokens else np.zeros(0, np.int64)
    ends: npt.NDArray[np.bool_] = joined[last] == byte
    return ends


def _values(tokens: Sequence[bytes]) -> Floats | None:
    try:
        values = np.fromstring(b" ".join(tokens), sep=" ")
    except ValueError:
        return None
    return values if len(values) == len(tokens) and np.isfinite(values).all() else None


def _features(label: Sequence[bytes], owner: Ints, labels: Labels, names: Names) -> Ids | None:
    """Feature ids of all values; None when a label has none, or not as many as elsewhere."""
    index: dict[bytes, int] = {}
    kind = np.array([index.setdefault(token, len(index)) for token in label], np.int64)
    width = np.bincount(owner, minlength=len(label))
    known = np.zeros(len(index), np.int64)
    known[kind] = width
    if (width == 0).any() or (known[kind] != width).any():
        return None
    texts = [token.decode("utf-8") for token in index]
    if not all(labels.agree(text, w) for text, w in zip(texts, known.tolist(), strict=True)):
        return None
    ids = [
        names.id(name)
        for text, w in zip(texts, known.tolist(), strict=True)
        for name in names_of(text, w)
    ]
    place = np.arange(len(owner)) - pointer_of(width)[:-1][owner]  # among the label's values
    feature: Ids = np.array(ids, np.int32)[pointer_of(known)[:-1][kind[owner]] + place]
    return feature
