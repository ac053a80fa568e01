"""What a list calls its sentences: whole numbers from 0, or ids of any form.

Where all of them are whole numbers, a sentence has that number, and the lists go by it; what is
written otherwise (`007`) is its id, too.  Otherwise, and where two are one number (`7` and `007`),
sentences are numbered from 0 in the order in which they appear, and keep their ids as written.
Until the end of a list it is not known which it is, so a hypothesis has the key of its sentence:
the number where it is written as Python would, else -1 - i for the i-th of the other ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.errors import LineError
from campanula.formats.text.numbers import whole_number

SentenceId: TypeAlias = int | str | tuple[int, str]
"""A number, an id, or both: those of a list that had them already."""


NEGATIVE = re.compile("-[0-9]+")


class SentenceName(NamedTuple):
    """Number of a sentence, and its id if that is no number."""

    sid: int
    id: str | None


def sentence_id_of(token: str) -> int | str:
    """The id of a sentence; raises LineError for none, for one that cannot be one."""
    number = whole_number(token)
    if number is not None and str(number) == token:
        return number
    if not token or "\n" in token or NEGATIVE.fullmatch(token):
        raise LineError(f"expected the number or the id of a sentence, found {token[:60]!r}")
    return token


class SentenceIds:
    """The sentences of one list as far as it was read."""

    def __init__(self) -> None:
        self._place: dict[str, int] = {}  # of ids that are no number, or are not written as one
        self._beside: dict[tuple[int, str], None] = {}  # numbers with the ids beside them
        self._name: str | None = None  # one that is no number, or not the only one of its number

    def key(self, given: SentenceId) -> int:
        """Key of a sentence."""
        if isinstance(given, int):
            return given
        if isinstance(given, tuple):
            self._beside[given] = None
            return given[0]
        if self._name is None and whole_number(given) is None:
            self._name = given
        return -1 - self._place.setdefault(given, len(self._place))

    def keys(self, tokens: Iterable[bytes]) -> Ints:
        """Keys (n,) of ids in UTF-8, none of them empty."""
        known: dict[bytes, int] = {}
        keys = []
        for token in tokens:
            key = known.get(token)
            if key is None:
                key = known[token] = self.key(sentence_id_of(token.decode("utf-8")))
            keys.append(key)
        return np.array(keys, np.int64)

    def settle(self, pieces: Iterable[Ints]) -> None:
        """Say that the list has ended, whose keys are those of its pieces."""
        if self._name is not None or not self._place:
            return
        name_of: dict[int, str] = {}
        for name in self._place:
            if name_of.setdefault(int(name), name) != name:
                self._name = name
                return
        numbers = np.array(list(name_of), np.int64)
        for keys in pieces:
            twice = keys[np.isin(keys, numbers)]
            if len(twice):
                self._name = name_of[int(twice[0])]
                return

    def settled(self, keys: Ints) -> Ints:
        """Keys (n,) as they are at the end of the list: where all ids are numbers, those."""
        if self._name is not None or not self._place:
            return keys
        number = np.array([int(name) for name in self._place], np.int64)
        settled = keys.copy()
        settled[keys < 0] = number[-1 - keys[keys < 0]]
        return settled

    def named(self, keys: Sequence[int]) -> list[tuple[SentenceName, int]]:
        """Sentences in their order, each with its key; keys are settled, in order of appearance.

        Raises LineError for numbers that have ids among sentences that have an id alone, for an id
        of two numbers, and for a number of two ids.
        """
        if self._name is None:
            name_of = {int(name): name for name in self._place} | self._names_beside()
            return [(SentenceName(key, name_of.get(key)), key) for key in sorted(keys)]
        if self._beside:
            problem = "expected a number beside every id, as others have"
            raise LineError(f"{problem}; found {self._name[:60]!r} alone")
        names = list(self._place)
        spelled = (str(key) if key >= 0 else names[-1 - key] for key in keys)
        return [(SentenceName(sid, name), keys[sid]) for sid, name in enumerate(spelled)]

    def _names_beside(self) -> dict[int, str]:
        """The ids of numbers that have one."""
        number: dict[str, int] = {}
        name_of: dict[int, str] = {}
        for sid, name in self._beside:
            if number.setdefault(name, sid) != sid:
                problem = f"expected ids of their own, found {name[:60]!r} of sentences"
                raise LineError(f"{problem} {number[name]} and {sid}")
            if name_of.setdefault(sid, name) != name:
                found = f"found {name_of[sid][:60]!r} and {name[:60]!r}"
                raise LineError(f"sentence {sid}: expected one id, {found}")
        return name_of
