"""Moses: labels before their values, the score after the features.

    0 ||| the cat sat ||| LexicalReordering0= -1.2 0 LM0= -17.4 tgt_the= 1 ||| -3.81 ||| 0-0 1-1

After the score there may be segmentation, alignment and input path, in an order that depends on
the decoder's flags; they are kept as fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from campanula.formats.errors import DataError
from campanula.formats.feature_names.dense import numbered_names
from campanula.formats.nbest.bars import BarReader
from campanula.formats.nbest.pages import FeatureRows, Page, Part, bar_page
from campanula.formats.nbest.places import Style
from campanula.formats.nbest.spelling import NameSpelling, bar_texts, sentence_field
from campanula.formats.records.kbest import KBest


def reader() -> BarReader:
    """Return a reader of lists."""
    return BarReader(Style(sparse=True))


def pages(lists: Iterable[KBest], source: str) -> Iterator[Page]:
    """Yield the lines of each list; raises DataError for lists that the format cannot express."""
    labels = Labelling(source)
    for kbest in lists:
        text = bar_texts(kbest.text, source, kbest.sid)
        fields: list[list[Part]] = [[sentence_field(kbest, source)], [text], labels.parts(kbest)]
        if kbest.score is not None:
            fields.append([kbest.score])
        fields += [[bar_texts(text, source, kbest.sid)] for text in kbest.fields.values()]
        yield bar_page(len(kbest), fields)


class Labelling:
    """Groups features under labels: `TM0_0`, `TM0_1` of all hypotheses become `TM0= v0 v1`.

    Each name is a label of its own where a group is not possible: if the label would not have the
    same number of values in the whole file, for features that not all hypotheses have, and if the
    label would have a `_`, since such a label has one value for Moses.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._spelling = NameSpelling(source, "= ")
        self._width: dict[str, int] = {}
        self._templates: dict[tuple[int, ...], list[tuple[bytes, int]]] = {}

    def parts(self, kbest: KBest) -> list[Part]:
        """Return the features of every hypothesis as parts of a page; raises DataError."""
        self._check(kbest)
        features = kbest.features
        key = tuple(features.dense_id.tolist())
        # lists of one decoder have the same dense features, so few texts have to be made
        if key not in self._templates:
            self._templates[key] = list(self._template([kbest.names[i] for i in key], kbest))
        parts: list[Part] = []
        for label, column in self._templates[key]:
            parts += [label, features.dense[column]]
        return [*parts, FeatureRows(features, self._spelling.labels, behind=bool(key))]

    def _template(self, names: list[str], kbest: KBest) -> Iterator[tuple[bytes, int]]:
        """Yield the text before each dense value of a hypothesis, and the value's column."""
        place = {name: i for i, name in enumerate(names)}
        before = ""
        while place:
            name = next(iter(place))
            label, _, number = name.rpartition("_")
            group = self._group(label, place, kbest) if number == "0" else []
            group = group or [name]
            text = label if len(group) > 1 else name
            before += f"{text}= "
            for member in group:
                yield before.encode(), place.pop(member)
                before = " "

    def _group(self, label: str, place: dict[str, int], kbest: KBest) -> list[str]:
        """Return the names `label_0`, `label_1`, ... that can be grouped; [] if they cannot."""
        group = numbered_names(label, place)
        # a feature that is called as the label would need the label for itself
        if not label or "_" in label or len(group) < 2 or label in kbest.names:
            return []
        return group if self._width.setdefault(label, len(group)) == len(group) else []

    def _check(self, kbest: KBest) -> None:
        """Raise DataError for new names that cannot be labels, or are labels of groups already."""
        for name in self._spelling.add(kbest.names):
            if name in self._width:
                problem = f"the label of {name}_0, {name}_1, ... cannot be a feature's name, too"
                raise DataError(self._source, f"feature {name!r}", problem)
