"""Lists with fields between bars: `id ||| text ||| features ||| score ||| alignment ...`.

The fields are told by their content, because their places depend on the tool, its version and its
flags.  Bars stand between blanks; a line without such bars may have them bare.  A text may have a
`|||` of its own as long as what follows can be told from features.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from campanula.formats.errors import LineError
from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.fields import Layout, cut
from campanula.formats.nbest.labels import Labels
from campanula.formats.nbest.ragged import ragged_features
from campanula.formats.nbest.reading import LineReader
from campanula.formats.nbest.rows import Piece, Row
from campanula.formats.nbest.uniform import dense_features
from campanula.formats.records.names import Names
from campanula.formats.text.numbers import looks_like_number, number, sentence_id

BARS = re.compile(r"(?:^| )\|\|\|(?= |$)")
ALIGNMENT = re.compile(r"(?:\d+-\d+(?: +|$))+")
SEGMENTATION = re.compile(r"(?:\d+(?:-\d+)?=\d+(?:-\d+)?(?: +|$))+")
PATH = re.compile(r"(?:\d+(?: +|$))+")


class DissectedLine(NamedTuple):
    """Fields of a line: where the features stand, where the score, what the others are."""

    fields: list[str]
    features: int
    score: int | None
    text: str
    others: dict[str, str]


class Style(NamedTuple):
    """How a tool lays out its lines.

    `mark` ends a label; the score stands before the features or after them; `before` says that
    alignments, and labels that are no features (`aside`), may stand between text and features.
    """

    mark: str = "="
    score_first: bool = False
    before: bool = False
    aside: tuple[str, ...] = ()


PLAIN = Style()


class BarReader(LineReader):
    """Reads the lines of one list: its style, and what the lines so far have shown."""

    def __init__(self, style: Style = PLAIN) -> None:
        self._style = style
        self._labels = Labels(style.mark)
        self._kinds: dict[int, str] = {}  # of the fields after the score, by place
        self._ragged = False  # lines have labels of their own

    def read(self, line: str) -> Iterable[Row]:
        """The hypothesis of a line; raises LineError."""
        parts = self.dissect(line)
        groups = self._labels.groups(parts.fields[parts.features])
        for label in self._style.aside:
            if label in groups:
                parts.others[label] = " ".join(map(repr, groups.pop(label)))
        score = None if parts.score is None else number(parts.fields[parts.score], "score")
        features = self._labels.features(groups)
        sid = sentence_id(parts.fields[0])
        return (Row(sid, parts.text, features, score, parts.others),)

    def piece(self, block: Block, names: Names) -> Piece | None:
        """All of a block at once when its lines are laid out alike, or None."""
        layout = self._layout(block.data.partition(b"\n")[0].decode("utf-8"))
        found = None if layout is None else cut(block.data, layout)
        if layout is None or found is None:
            return None
        features = None if self._ragged else dense_features(found.features, layout, names)
        if features is None:
            self._ragged = True  # and so, most likely, is the rest of the list
            features = ragged_features(found.features, self._labels, names)
        if features is None:
            return None
        return Piece(found.sid, found.text, features, found.score, found.others)

    def _layout(self, line: str) -> Layout | None:
        try:
            parts = self.dissect(line)
            groups = self._labels.groups(parts.fields[parts.features])
            self._labels.features(groups)
        except LineError:
            return None
        plain = set(parts.others) <= {"alignment"} and parts.features == 2 + self._style.score_first
        if not plain or not groups or any(label in groups for label in self._style.aside):
            return None
        widths = [(label, len(values)) for label, values in groups.items()]
        size = len(parts.fields)
        alignment = size - 1 if parts.others else None
        return Layout(size, parts.features, parts.score, alignment, self._style.mark, widths)

    def dissect(self, line: str) -> DissectedLine:
        """Tell the fields of a line; raises LineError."""
        fields = [part.strip(" \t") for part in BARS.split(line)]
        if len(fields) == 1:
            fields = [part.strip(" \t") for part in line.split("|||")]
        if len(fields) < 3:
            raise LineError(f"expected `id ||| text ||| features`, found {line[:60]!r}")
        at = self._features_at(fields)
        first = at - 1 if self._style.score_first else at
        others: dict[str, str] = {}
        while self._style.before and first > 2 and (kind := self._kind_before(fields[first - 1])):
            first -= 1
            others[kind] = fields[first].removeprefix(f"{kind}{self._style.mark}").strip(" ")
        text = " ||| ".join(fields[1:first])
        score = at - 1 if self._style.score_first else at + 1
        scored = score < len(fields) and looks_like_number(fields[score])
        after = at + 2 if scored and not self._style.score_first else at + 1
        for place in range(after, len(fields)):
            kind = self._kind(fields[place], place - after)
            others[kind if kind and kind not in others else f"field{place + 1}"] = fields[place]
        return DissectedLine(fields, at, score if scored else None, text, others)

    def _features_at(self, fields: list[str]) -> int:
        """Place of the features: the first like them, best with labels, whose neighbour fits."""
        likely = [
            place
            for place in range(3 if self._style.score_first else 2, len(fields))
            if not fields[place] or self._labels.recognise(fields[place])
        ]
        for place in sorted(likely, key=lambda place: not self._labelled(fields[place])):
            if self._style.score_first:
                fits = looks_like_number(fields[place - 1])
            else:
                fits = place + 1 == len(fields) or self._may_follow(fields[place + 1])
            if fits:
                return place
        if not likely:
            raise LineError(f"expected features, found {fields[-1]!r}")
        place = likely[0] - 1 if self._style.score_first else likely[0] + 1
        raise LineError(f"score: expected a number, found {fields[place]!r}")

    def _labelled(self, text: str) -> bool:
        token = text.split(" ")[0]
        plain = not text or looks_like_number(token) or SEGMENTATION.fullmatch(text)
        return not plain

    def _may_follow(self, text: str) -> bool:
        return looks_like_number(text) or bool(text and _shown(text))

    def _kind_before(self, text: str) -> str | None:
        for label in self._style.aside:
            if text.startswith(label + self._style.mark):
                return label
        return "alignment" if not text or ALIGNMENT.fullmatch(text) else None

    def _kind(self, text: str, place: int) -> str:
        """Name of a field after the score; an empty one is called as others in its place."""
        if not text:
            return self._kinds.get(place, "alignment")
        kind = self._kinds[place] = _shown(text)
        return kind


def _shown(text: str) -> str:
    """What the content of a field after the score shows it to be, or nothing."""
    if ALIGNMENT.fullmatch(text):
        return "alignment"
    if SEGMENTATION.fullmatch(text):
        return "segmentation"
    if PATH.fullmatch(text):
        return "path"
    return "tree" if text.startswith("(") else ""
