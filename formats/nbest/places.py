"""Finds the features and the score among the fields of the lines of a list.

Their places depend on the tool, its version and its flags, so they are found by content: features
have labels, and the score is next to them.  All lines of a list have the same places.  The text is
the field after the sentence number; fields between text and features are further fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from campanula.formats.errors import LineError, quoted
from campanula.formats.nbest.field_kinds import SEGMENTATION, is_known
from campanula.formats.nbest.labels import Labels
from campanula.formats.text.numbers import looks_like_number

TEXT = 1


class Style(NamedTuple):
    """The layout of a tool's lines.

    mark, joined, sparse: as for Labels; score_first: whether the score stands before the features;
    aside: labels that are not features but fields.
    """

    mark: str = "="
    joined: bool = False
    sparse: bool = False
    score_first: bool = False
    aside: tuple[str, ...] = ()


class Places(NamedTuple):
    """Number of fields, places of features and score; shown: whether labels have shown them.

    If they are not shown, the places are the usual ones, until a line with labels comes.
    """

    size: int
    features: int
    score: int | None
    shown: bool

    def others(self) -> list[int]:
        """Return the places of the further fields."""
        named = {0, TEXT, self.features, self.score}
        return [place for place in range(self.size) if place not in named]


class PlaceFinder:
    """Finds the places in a list, and checks that all lines have the same."""

    def __init__(self, style: Style, labels: Labels) -> None:
        self._style = style
        self._labels = labels
        self._first = 3 if style.score_first else 2
        self._places: Places | None = None

    def places(self, fields: Sequence[str]) -> Places:
        """Return the places in a line; raises LineError if they differ from lines before."""
        before = self._places
        if before is not None and len(fields) != before.size:
            expected = f"expected {before.size} fields, as before, found {len(fields)}"
            raise LineError(f"{expected}: {quoted(' ||| '.join(fields))}")
        if before is not None and before.shown:
            return before
        places = self._find(fields)
        # all but `shown`, which a line with labels may make true
        if before is not None and places[:3] != before[:3]:
            expected = f"expected features in field {before.features + 1}, as before"
            raise LineError(f"{expected}, found {quoted(fields[places.features])} elsewhere")
        self._places = places
        return places

    def check_text(self, text: str) -> None:
        """Raise LineError for a text with features or a score after bars without blanks."""
        for piece in text.split("|||")[1:]:
            first = piece.strip(" \t").partition(" ")[0]
            if text.startswith("|||") or self._labels.recognise(piece) or looks_like_number(first):
                raise LineError(f"expected bars between blanks, found the text {quoted(text)}")

    def _find(self, fields: Sequence[str]) -> Places:
        if len(fields) <= self._first:
            score = "score ||| " if self._style.score_first else ""
            expected = f"expected `id ||| text ||| {score}features`"
            raise LineError(f"{expected}, found {quoted(' ||| '.join(fields))}")
        labelled = [p for p in range(self._first, len(fields)) if self._has_labels(fields[p])]
        # `0-1=0-1` of a segmentation looks like a feature, but hardly is one beside others
        likely = [p for p in labelled if not SEGMENTATION.pattern.fullmatch(fields[p])]
        likely = likely or [p for p in labelled if p == self._first]
        if len(likely) > 1:
            both = " and ".join(repr(fields[place][:40]) for place in likely)
            raise LineError(f"expected one field of features, found {both}")
        place = likely[0] if likely else self._without_labels(fields)
        return Places(len(fields), place, self._score(fields, place), bool(likely))

    def _has_labels(self, field: str) -> bool:
        if not self._labels.recognise(field):
            return False
        return not all(label in self._style.aside for label in self._labels.written(field))

    def _without_labels(self, fields: Sequence[str]) -> int:
        """Return the place of features that have no labels, are empty, or have a bad number."""
        for place in range(self._first, len(fields)):
            field = fields[place]
            if self._labels.seems(field) and not SEGMENTATION.pattern.fullmatch(field):
                return place
        usual = fields[self._first]
        if not usual or looks_like_number(usual.split(" ")[0]):
            return self._first
        for place in range(self._first + 1, len(fields)):
            beside = fields[place - 1 : place] if self._style.score_first else fields[place + 1 :]
            if not fields[place] and beside and looks_like_number(beside[0]):
                return place
        first = usual.partition(" ")[0]
        raise LineError(
            f"features: expected a label or a number, found {first!r} in {quoted(usual)}"
        )

    def _score(self, fields: Sequence[str], features: int) -> int | None:
        """Return the place of the score next to the features; None if there is no score.

        Raises LineError for a field there that is neither a number nor of a known kind.
        """
        place = features - 1 if self._style.score_first else features + 1
        if place == len(fields):
            return None
        if looks_like_number(fields[place]):
            return place
        if not self._style.score_first and is_known(fields[place]):
            return None
        raise LineError(f"score: expected a number, found {fields[place]!r}")
