"""Where the features and the score of a list stand among the fields of its lines.

The places depend on the tool, its version and its flags, so they are told by content: features have
labels, and a score beside them.  They are the same in all lines of a list.  The text is the field
behind the sentence number, and what stands between it and the features is a field of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from campanula.formats.errors import LineError
from campanula.formats.nbest.kinds import SEGMENTATION, is_known
from campanula.formats.nbest.labels import Labels
from campanula.formats.text.numbers import looks_like_number

TEXT = 1


class Style(NamedTuple):
    """How a tool lays out its lines.

    `mark` ends a label; a label has one value where `joined`, and where it has `_` in it and
    `sparse` is set; the score stands before the features or after them; labels `aside` are no
    features.
    """

    mark: str = "="
    joined: bool = False
    sparse: bool = False
    score_first: bool = False
    aside: tuple[str, ...] = ()


class Places(NamedTuple):
    """Number of fields, places of features and score; `shown` by labels, or what is usual."""

    size: int
    features: int
    score: int | None
    shown: bool

    def others(self) -> list[int]:
        """Places of the fields that have no name yet."""
        known = {0, TEXT, self.features, self.score}
        return [place for place in range(self.size) if place not in known]


class PlaceFinder:
    """Finds the places in a list, and holds its lines to them."""

    def __init__(self, style: Style, labels: Labels) -> None:
        self._style = style
        self._labels = labels
        self._first = 3 if style.score_first else 2
        self._places: Places | None = None

    def places(self, fields: Sequence[str]) -> Places:
        """Places in a line; raises LineError where they are others than in those before."""
        known = self._places
        if known is not None and len(fields) != known.size:
            expected = f"expected {known.size} fields, as before, found {len(fields)}"
            raise LineError(f"{expected}: {' ||| '.join(fields)[:60]!r}")
        if known is not None and known.shown:
            return known
        found = self._find(fields)
        if known is not None and found[:3] != known[:3]:
            expected = f"expected features in field {known.features + 1}, as before"
            raise LineError(f"{expected}, found {fields[found.features][:60]!r} elsewhere")
        self._places = found
        return found

    def check_text(self, text: str) -> None:
        """Raise LineError for a text with features behind a bar that has no blanks around it."""
        for piece in text.split("|||")[1:]:
            first = piece.strip(" \t").partition(" ")[0]
            if text.startswith("|||") or self._labels.recognise(piece) or looks_like_number(first):
                raise LineError(f"expected bars between blanks, found the text {text[:60]!r}")

    def _find(self, fields: Sequence[str]) -> Places:
        if len(fields) <= self._first:
            form = "id ||| text ||| score ||| features"
            form = form if self._style.score_first else "id ||| text ||| features"
            raise LineError(f"expected `{form}`, found {' ||| '.join(fields)[:60]!r}")
        labelled = [p for p in range(self._first, len(fields)) if self._has_labels(fields[p])]
        # names of features may be numbers, but hardly so in lines that have others
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
        """Place of features that have no labels, or are none, or have a number that is none."""
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
            f"features: expected a label or a number, found {first!r} in {usual[:60]!r}"
        )

    def _score(self, fields: Sequence[str], features: int) -> int | None:
        """Place of the score beside the features; raises LineError for what is none."""
        place = features - 1 if self._style.score_first else features + 1
        if place == len(fields):
            return None
        if looks_like_number(fields[place]):
            return place
        if not self._style.score_first and is_known(fields[place]):
            return None
        raise LineError(f"score: expected a number, found {fields[place]!r}")
