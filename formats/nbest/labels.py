"""Features as text: labels with the values that follow them.

    LexicalReordering0= -1.2 0 -0.3 LM0= -17.4 tgt_the= 1        (Moses, Marian)
    lm_0=-17.4 tm_pt_0=-0.2                                      (cdec, Joshua, Travatar)
    LM: -1.7E1                                                   (Phrasal)

A label belongs to all values up to the next label.  Names of several values are numbered from 0
(`LexicalReordering0_0`); the name of a single value is the label.  Values before any label are
`F0`, `F1`, ... as in kbmira.

Some labels have exactly one value.  In a Moses list without labels for dense features, sparse
features still have labels, with a `_`, and may stand between dense values: `-1 -2 TN_a= 1 -9` has
the dense values -1, -2 and -9 (Moses's mert/Data.cpp).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from campanula.formats.errors import LineError, repeated
from campanula.formats.feature_names.dense import names_of
from campanula.formats.records.names import Names
from campanula.formats.text.numbers import looks_like_number, number

Groups = dict[str | None, list[float]]


class Labels:
    """Reads the features of one list, and checks that a label has as many values in all lines.

    mark: ends a label; joined: all labels have one value; sparse: labels with a `_` have one value.
    """

    def __init__(self, mark: str = "=", joined: bool = False, sparse: bool = False) -> None:
        self.mark = mark
        self._joined = joined
        self._sparse = sparse
        self._width: dict[str | None, int] = {}
        self._ids: dict[bytes, list[int]] = {}
        self._names: Names | None = None

    def recognise(self, field: str) -> bool:
        """Whether a field starts with a label, alone or with a number joined to it."""
        # at the last mark: a name may have marks of its own, a number has none
        label, mark, value = _first(field).rpartition(self.mark)
        return bool(mark and label) and (not value or looks_like_number(value))

    def seems(self, field: str) -> bool:
        """Whether a field starts with a label, even if its value is no number."""
        label, mark, _ = _first(field).rpartition(self.mark)
        return bool(mark and label)

    def written(self, field: str) -> Iterator[str]:
        """Yield the labels of a field."""
        for token in _tokens(field):
            head, mark, _ = token.rpartition(self.mark)
            if mark and head:
                yield head

    def groups(self, field: str) -> Groups:
        """Parse a field: values by label, those before any label under None; raises LineError."""
        groups: Groups = {}
        label: str | None = None
        for token in _tokens(field):
            head, mark, tail = token.rpartition(self.mark)
            if mark and head:
                label = self._open(head, groups)
                if tail:
                    groups[label].append(number(tail, f"feature {label!r}"))
                continue
            if label is not None and groups[label] and self.has_one_value(label):
                self._check_dense(label, token, groups)
                label = None
            values = groups.setdefault(label, [])
            values.append(number(token, "features" if label is None else f"feature {label!r}"))
        return groups

    def has_one_value(self, label: str) -> bool:
        """Whether a label has exactly one value."""
        return self._joined or (self._sparse and "_" in label)

    def _check_dense(self, label: str, token: str, groups: Groups) -> None:
        """Raise LineError unless a second value after `label` can be a dense one, unlabelled."""
        if self._joined or not all(other is None or "_" in other for other in groups):
            raise LineError(f"feature {label!r}: expected one value, found another, {token!r}")

    def agree(self, label: str, width: int) -> bool:
        """Whether a label has as many values as before; `width` is remembered for a new label."""
        if width > 1 and self.has_one_value(label):
            return False
        return self._width.setdefault(label, width) == width

    def ids(self, texts: Iterable[bytes], widths: Iterable[int], names: Names) -> list[int] | None:
        """Return the feature ids of labels in order; None if one has not as many values as before.

        texts: labels as UTF-8; widths: numbers of their values.  New names are added to the table.
        """
        # the ids that were kept are those of another table
        if self._names is not names:
            self._names = names
            self._ids = {}
        all_ids: list[int] = []
        for text, width in zip(texts, widths, strict=True):
            ids = self._ids.get(text)
            if ids is None:
                label = text.decode("utf-8")
                if not self.agree(label, width):
                    return None
                ids = self._ids[text] = [names.id(name) for name in names_of(label, width)]
            if len(ids) != width:
                return None
            all_ids += ids
        return all_ids

    def _open(self, label: str, groups: Groups) -> str:
        if label in groups:
            raise LineError(repeated("label", label))
        groups[label] = []
        return label

    def features(self, groups: Groups) -> dict[str, float]:
        """Return values by feature name; raises LineError if a label has not as many as before."""
        features: dict[str, float] = {}
        for label, values in groups.items():
            width = self._width.setdefault(label, len(values)) if values else 0
            if not values or width != len(values):
                expected = f"{width} values as before" if values else "a number"
                what = "features without labels" if label is None else f"feature {label!r}"
                raise LineError(f"{what}: expected {expected}, found {len(values) or 'none'}")
            for name, value in zip(names_of(label, width), values, strict=True):
                if name in features:
                    raise LineError(repeated("feature", name))
                features[name] = value
        return features


def _tokens(field: str) -> Iterator[str]:
    return filter(None, field.replace("\t", " ").split(" "))


def _first(field: str) -> str:
    return next(_tokens(field), "")
