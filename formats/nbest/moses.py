"""Moses: labels before their values, the score after the features.

    0 ||| the cat sat ||| LexicalReordering0= -1.2 0 LM0= -17.4 tgt_the= 1 ||| -3.81 ||| 0-0 1-1

After the score may stand segmentation, alignment and input path, in an order that depends on the
decoder's flags; they are kept as fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from campanula.formats.errors import DataError
from campanula.formats.nbest.bars import BarReader
from campanula.formats.nbest.places import Style
from campanula.formats.nbest.spelling import Spelling, bar_texts, scores, sentence_field, spell
from campanula.formats.records.kbest import KBest


def reader() -> BarReader:
    """A reader of one list."""
    return BarReader(Style(sparse=True))


def write(lists: Iterable[KBest], source: str) -> Iterator[str]:
    """Yield the lines of lists; raises DataError for what the format cannot hold."""
    labels = Labelling(source)
    for kbest in lists:
        texts = bar_texts(kbest.text, source, kbest.sid)
        columns = [texts, labels.features(kbest)]
        if (score := scores(kbest)) is not None:
            columns.append(iter(score))
        columns.extend(bar_texts(texts, source, kbest.sid) for texts in kbest.fields.values())
        sentence = sentence_field(kbest, source)
        for line in zip(*columns, strict=True):
            yield f"{sentence} ||| {' ||| '.join(line)}"


class Labelling:
    """Turns features into labels: `TM0_0`, `TM0_1` of all hypotheses become `TM0= v0 v1`.

    A label has the same number of values in the whole file; where that would not be so, for
    features that not all hypotheses have, and where the label would have a `_` in it (to Moses such
    a label has one value), each name is a label of its own.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._spelling = Spelling(source)
        self._width: dict[str, int] = {}
        self._templates: dict[tuple[int, ...], tuple[str, list[int]]] = {}

    def features(self, kbest: KBest) -> Iterator[str]:
        """Yield the features of every hypothesis."""
        self._check(kbest)
        key = tuple(kbest.features.dense_id.tolist())
        if key not in self._templates:
            self._templates[key] = self._template([kbest.names[i] for i in key], kbest)
        template, order = self._templates[key]
        columns = [[spell(v) for v in row] for row in kbest.features.dense[order].tolist()]
        rows = zip(*columns, strict=True) if columns else iter([()] * len(kbest))
        dense = (template % values for values in rows)
        for start, row in zip(dense, kbest.features.sparse_rows(kbest.names), strict=True):
            rest = " ".join(f"{name}= {spell(value)}" for name, value in row.items())
            yield f"{start} {rest}" if start and rest else start + rest

    def _template(self, names: list[str], kbest: KBest) -> tuple[str, list[int]]:
        """Format of a hypothesis's dense features, and the order of columns in it."""
        place = {name: i for i, name in enumerate(names)}
        pieces = []
        order = []
        while place:
            name = next(iter(place))
            label, _, number = name.rpartition("_")
            group = self._group(label, place, kbest) if number == "0" else []
            group = group or [name]
            order += [place.pop(member) for member in group]
            text = label if len(group) > 1 else name
            pieces.append(f"{text.replace('%', '%%')}=" + " %s" * len(group))
        return " ".join(pieces), order

    def _group(self, label: str, place: dict[str, int], kbest: KBest) -> list[str]:
        """Names `label_0`, `label_1`, ... that can stand behind one label."""
        group = [f"{label}_0"]
        while f"{label}_{len(group)}" in place:
            group.append(f"{label}_{len(group)}")
        if not label or "_" in label or len(group) == 1 or label in kbest.names:
            return []
        return group if self._width.setdefault(label, len(group)) == len(group) else []

    def _check(self, kbest: KBest) -> None:
        """Raise DataError for new names that are no labels, or taken by a group."""
        for name in self._spelling.check(kbest.names):
            if name in self._width:
                problem = f"the label of {name}_0, {name}_1, ... cannot be a feature's name, too"
                raise DataError(self._source, f"feature {name!r}", problem)
