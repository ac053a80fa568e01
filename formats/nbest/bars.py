"""Lists with fields between bars: `id ||| text ||| features ||| score ||| alignment ...`.

All lines of a list have the same number and order of fields; another line is an error (places.py).
A field that is neither text nor features nor score is kept; its content gives it a name
(field_kinds.py), or else its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from campanula.formats.errors import LineError
from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.field_kinds import Evidence, FieldKinds, field_name, is_known
from campanula.formats.nbest.fields import Cut, FieldLines, Layout, cut
from campanula.formats.nbest.labels import Labels
from campanula.formats.nbest.marks import FIELD, Marks
from campanula.formats.nbest.places import TEXT, PlaceFinder, Places, Style
from campanula.formats.nbest.ragged import ragged_features
from campanula.formats.nbest.reading import LineReader
from campanula.formats.nbest.rows import Piece, Row
from campanula.formats.nbest.sentence_ids import SentenceIds, sentence_id_of
from campanula.formats.nbest.splitting import split
from campanula.formats.nbest.uniform import dense_features, named
from campanula.formats.records.features import Features
from campanula.formats.records.names import Names
from campanula.formats.text.numbers import number

PLAIN = Style()


class BarReader(LineReader):
    """Reads the lines of one list; keeps what they have shown of its layout so far."""

    def __init__(self, style: Style = PLAIN) -> None:
        self._style = style
        self._labels = Labels(style.mark, style.joined, style.sparse)
        self._finder = PlaceFinder(style, self._labels)
        self._kinds = FieldKinds()
        self._marks = Marks()
        self._ragged = False

    def read(self, line: str) -> Iterable[Row]:
        """Read the hypothesis of a line; raises LineError."""
        fields = split(line)
        sid = sentence_id_of(fields[0])
        places = self._finder.places(fields)
        groups = self._labels.groups(fields[places.features])
        others: dict[str, str] = {}
        self._finder.check_text(fields[TEXT])
        text, segmentation = self._marks.parted(fields[TEXT])
        if segmentation is not None:
            others[FIELD] = segmentation
        for place in places.others():
            name, content = self._other(place, fields[place], places)
            others[name] = content
        for label in self._style.aside:
            if label in groups:
                others[label] = " ".join(map(repr, groups.pop(label)))
        score = None if places.score is None else number(fields[places.score], "score")
        return (Row(sid, text, self._labels.features(groups), score, others),)

    def field_names(self) -> Mapping[str, str]:
        """Return the final names of fields by their provisional ones."""
        return self._kinds.names((FIELD,) if self._marks.used else ())

    @property
    def is_ragged(self) -> bool:
        """Whether lines have been found with different labels."""
        return self._ragged

    def evidence(self) -> dict[int, Evidence]:
        """Return what the lines have shown of their further fields, by place."""
        return self._kinds.evidence()

    def _other(self, place: int, content: str, places: Places) -> tuple[str, str]:
        """Return the provisional name and the content of a further field."""
        for label in self._style.aside:
            if content.startswith(label + self._style.mark):
                return label, content.removeprefix(label + self._style.mark).strip(" ")
        self._kinds.column(place, places.features).see(content)
        return field_name(place), content

    def piece(self, block: Block, names: Names, ids: SentenceIds) -> Piece | None:
        """Read a block at once; None unless all its lines have the layout of the first."""
        layout = self._layout(block.first_line())
        if layout is None:
            return None
        fields = None
        if block.cutter is not None and not self._ragged:
            fields = block.cutter(layout)
        if fields is None:
            fields = cut(block.data, layout, ids)
        # searching for one bar first is ten times as fast, and few texts have any
        if fields is None or (b"|" in fields.text.blob and b"|||" in fields.text.blob):
            return None
        # marks of segmentation stand within texts, which only the reader of single lines divides
        if not self._marks.absent(fields.text):
            return None
        features = self._features(fields, layout, names)
        if features is None:
            return None
        for place, texts in fields.others.items():
            self._kinds.column(place, layout.features).see_all(texts)
        others = {field_name(place): texts for place, texts in fields.others.items()}
        return Piece(fields.sid, fields.text, features, fields.score, others)

    def _features(self, fields: Cut, layout: Layout, names: Names) -> Features | None:
        if not isinstance(fields.features, FieldLines):
            return named(fields.features, layout, names)
        features = None if self._ragged else dense_features(fields.features, layout, names)
        if features is None:
            self._ragged = True  # most likely the rest of the list is, too
            features = ragged_features(fields.features, self._labels, names)
        return features

    def _layout(self, line: str) -> Layout | None:
        """Return the layout of a line; None if such lines must be read one by one."""
        try:
            fields = split(line)
            places = self._finder.places(fields)
            groups = self._labels.groups(fields[places.features])
            self._labels.features(groups)
        except LineError:
            return None
        aside = any(
            label in groups or any(fields[p].startswith(label) for p in places.others())
            for label in self._style.aside
        )
        sure = places.shown or all(is_known(fields[place]) for place in places.others())
        if aside or not groups or not sure:
            return None
        widths = [(label, len(values)) for label, values in groups.items()]
        others = tuple(places.others())
        return Layout(places.size, places.features, places.score, others, self._style.mark, widths)
