"""Names for the fields of a list that are neither text nor features nor score, from their content.

A field is what all its lines show it to be: `alignment` (0-0 1-1), `soft-alignment` (rows of
probabilities), `segmentation` (0-1=0 2=1-2), `path` (0 1 2), `tree` ((S ...)).  Where they do not
agree, or show nothing that is known, it is called after its place: `field5`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from campanula.formats.records.texts import Texts

PROBABILITY = r"\d+(?:\.\d+)?(?:e-?\d+)?"
LINKS = re.compile(rb"(?:\d+-\d+[ \n]+|\n+)*")


class FieldKind(NamedTuple):
    """A kind of field: every content is like `pattern`, and `proof` is in at least one.

    Whether such a field may stand before the features.
    """

    name: str
    pattern: re.Pattern[str]
    proof: str = ""
    before: bool = True


# digits are ASCII's, as in a number: a score in other digits is none of these, and refused
ALIGNMENT = FieldKind("alignment", re.compile(r"(?:\d+-\d+(?: +|$))+", re.ASCII))
SEGMENTATION = FieldKind(
    "segmentation", re.compile(r"(?:\d+(?:-\d+)?=\d+(?:-\d+)?(?: +|$))+", re.ASCII)
)
KINDS = (
    ALIGNMENT,
    SEGMENTATION,
    FieldKind("path", re.compile(r"(?:\d+(?: +|$))+", re.ASCII), before=False),
    FieldKind("tree", re.compile(r"\(.*", re.DOTALL)),
    FieldKind("soft-alignment", re.compile(rf"(?:{PROBABILITY}(?:,{PROBABILITY})*(?: +|$))+"), ","),
)


def is_known(text: str) -> bool:
    """Whether a content shows the kind of its field, behind the features."""
    return any(kind.pattern.fullmatch(text) for kind in KINDS if not kind.proof)


def field_name(place: int) -> str:
    """Name of the field at a place, counted from 0, until its kind is known."""
    return f"field{place + 1}"


class FieldColumn:
    """What one field of all lines may be."""

    def __init__(self, before: bool) -> None:
        self._kinds = [kind for kind in KINDS if kind.before or not before]
        self._proved: set[str] = set()
        self._empty = True

    def see(self, text: str) -> None:
        """Take in the content of a line."""
        if not text:
            return
        self._empty = False
        self._kinds = [kind for kind in self._kinds if kind.pattern.fullmatch(text)]
        self._proved.update(kind.name for kind in self._kinds if kind.proof in text)

    def see_all(self, texts: Texts) -> None:
        """Take in the contents of many lines."""
        if ALIGNMENT in self._kinds and LINKS.fullmatch(_lines(texts)):
            if texts.blob:
                self._kinds, self._proved, self._empty = [ALIGNMENT], {ALIGNMENT.name}, False
            return
        for text in texts:
            self.see(text)

    def name(self) -> str | None:
        """Name of the kind; an empty field is an alignment, which is what most often is missing."""
        if self._empty:
            return ALIGNMENT.name
        return next((kind.name for kind in self._kinds if kind.name in self._proved), None)


def _lines(texts: Texts) -> bytes:
    """Texts as lines."""
    bounds = texts.pointer.tolist()
    pieces = [texts.blob[a:b] for a, b in pairwise(bounds)]
    return b"\n".join([*pieces, b""])


class Kinds:
    """The other fields of a list by their places."""

    def __init__(self) -> None:
        self._columns: dict[int, FieldColumn] = {}

    def column(self, place: int, features: int) -> FieldColumn:
        """The field at a place of lines whose features stand at another."""
        return self._columns.setdefault(place, FieldColumn(place < features))

    def names(self, taken: Iterable[str]) -> dict[str, str]:
        """Names by those that the fields have until now; each is given once."""
        given = set(taken)
        names: dict[str, str] = {}
        for place in sorted(self._columns):
            name = self._columns[place].name()
            if name is not None and name not in given:
                given.add(name)
                names[field_name(place)] = name
        return names
