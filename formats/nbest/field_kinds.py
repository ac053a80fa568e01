"""Names for the further fields of a list (not text, features or score), from their content.

A field has the kind that fits all its lines: `alignment` (0-0 1-1), `soft-alignment` (rows of
probabilities), `segmentation` (0-1=0 2=1-2), `path` (0 1 2), `tree` ((S ...)).  If no kind fits,
its name is that of its place: `field5`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from campanula.formats.records.texts import Texts

PROBABILITY = r"\d+(?:\.\d+)?(?:e-?\d+)?"
# possessive, so that no way of dividing line ends is tried twice
LINKS = re.compile(rb"\n*+(?:\d++-\d++[ \n]++)*+")


class FieldKind(NamedTuple):
    """A kind of field: every content matches `pattern`, and at least one contains `proof`.

    before: whether such a field may stand before the features.
    """

    name: str
    pattern: re.Pattern[str]
    proof: str = ""
    before: bool = True


# ASCII digits alone: otherwise a score in other digits would be taken for such a field
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
    """Whether a content by itself shows its kind of field, for a field after the features."""
    return any(kind.pattern.fullmatch(text) for kind in KINDS if not kind.proof)


def field_name(place: int) -> str:
    """Return the provisional name of the field at a place, from 0, until its kind is known."""
    return f"field{place + 1}"


class Evidence(NamedTuple):
    """What the contents of a field have shown: kinds that fit all, those proved, all empty or not.

    Lines that leave it as it is can be read in any order.
    """

    kinds: tuple[FieldKind, ...]
    proved: frozenset[str]
    is_empty: bool


class FieldColumn:
    """Narrows the kinds that one field of all lines may have."""

    def __init__(self, before: bool) -> None:
        self._kinds = [kind for kind in KINDS if kind.before or not before]
        self._proved: set[str] = set()
        self._empty = True

    def see(self, text: str) -> None:
        """Drop the kinds that the content of a line does not match."""
        if not text:
            return
        self._empty = False
        self._kinds = [kind for kind in self._kinds if kind.pattern.fullmatch(text)]
        self._proved.update(kind.name for kind in self._kinds if kind.proof in text)

    def see_all(self, texts: Texts) -> None:
        """Drop the kinds that the contents of many lines do not match."""
        # the usual case, tested for all lines by one match
        if ALIGNMENT in self._kinds and LINKS.fullmatch(_lines(texts)):
            if texts.blob:
                self._kinds = [ALIGNMENT]
                self._proved = {ALIGNMENT.name}
                self._empty = False
            return
        for text in texts:
            self.see(text)

    def evidence(self) -> Evidence:
        """Return what the contents have shown so far."""
        return Evidence(tuple(self._kinds), frozenset(self._proved), self._empty)

    def name(self) -> str | None:
        """Return the name of the kind, or None.

        A field that is empty in all lines is taken for an alignment, the field most often empty.
        """
        if self._empty:
            return ALIGNMENT.name
        return next((kind.name for kind in self._kinds if kind.name in self._proved), None)


def _lines(texts: Texts) -> bytes:
    """Return the texts as lines."""
    bounds = texts.pointer.tolist()
    pieces = [texts.blob[a:b] for a, b in pairwise(bounds)]
    return b"\n".join([*pieces, b""])


class FieldKinds:
    """The further fields of a list by their places."""

    def __init__(self) -> None:
        self._columns: dict[int, FieldColumn] = {}

    def column(self, place: int, features: int) -> FieldColumn:
        """Return the field at a place, in lines with features at the place `features`."""
        return self._columns.setdefault(place, FieldColumn(place < features))

    def evidence(self) -> dict[int, Evidence]:
        """Return what each field has shown so far, by place."""
        return {place: column.evidence() for place, column in self._columns.items()}

    def names(self, taken: Iterable[str]) -> dict[str, str]:
        """Return final names by provisional ones; each is given once, and none of `taken`."""
        used = set(taken)
        names: dict[str, str] = {}
        for place in sorted(self._columns):
            name = self._columns[place].name()
            if name is not None and name not in used:
                used.add(name)
                names[field_name(place)] = name
        return names
