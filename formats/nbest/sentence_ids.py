"""The ids of sentences in lists: whole numbers from 0, or texts of any form.

If all ids are whole numbers, they are the numbers of the sentences; one that is not written as
Python would (`007`) is kept as the id, too.  Otherwise, and if two ids are one number (`7` and
`007`), sentences are numbered from 0 in the order in which they appear, and keep their ids.  Which
case it is is known only at the end, so a hypothesis has the key of its sentence until then: its
number, if the id is written as Python would, else -1 - i for the i-th of the other ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.errors import LineError, quoted
from campanula.formats.text.numbers import whole_number

SentenceId: TypeAlias = int | str | tuple[int, str]
"""A number, an id, or both for lists that have sid and id."""


NEGATIVE = re.compile("-[0-9]+")


class SentenceName(NamedTuple):
    """Number of a sentence, and its id; None if that is just the number."""

    sid: int
    id: str | None


def sentence_id_of(token: str) -> int | str:
    """Parse the id of a sentence: a number as int, other ids as text; raises LineError."""
    number = whole_number(token)
    if number is not None and str(number) == token:
        return number
    # an id that is empty or has a line end could not be written: columns.unpack_id refuses both
    if not token or "\n" in token or NEGATIVE.fullmatch(token):
        raise LineError(f"expected the number or the id of a sentence, found {quoted(token)}")
    return token


class SentenceIds:
    """The ids of the sentences read so far, with their keys."""

    def __init__(self) -> None:
        self._place: dict[str, int] = {}  # i, of ids that are not numbers as Python writes them
        self._beside: dict[tuple[int, str], None] = {}  # pairs of sid and id
        self._name: str | None = None  # the first id that shows that ids are not numbers

    @property
    def are_numbers(self) -> bool:
        """Whether all ids are numbers as Python writes them, and none has another beside it."""
        return not self._place and not self._beside

    def key(self, sentence_id: SentenceId) -> int:
        """Return the key of a sentence; a new id is added."""
        if isinstance(sentence_id, int):
            return sentence_id
        if isinstance(sentence_id, tuple):
            self._beside[sentence_id] = None
            return sentence_id[0]
        if self._name is None and whole_number(sentence_id) is None:
            self._name = sentence_id
        return -1 - self._place.setdefault(sentence_id, len(self._place))

    def keys(self, tokens: Iterable[bytes]) -> Ints:
        """Return the keys (n,) of ids in UTF-8, none of them empty."""
        # a list repeats its id in every line, so few tokens have to be decoded and parsed
        cache: dict[bytes, int] = {}
        keys = []
        for token in tokens:
            key = cache.get(token)
            if key is None:
                key = cache[token] = self.key(sentence_id_of(token.decode("utf-8")))
            keys.append(key)
        return np.array(keys, np.int64)

    def settle(self, pieces: Iterable[Ints]) -> None:
        """Decide whether ids are numbers, when all have been read; pieces: all keys."""
        if self._name is not None or not self._place:
            return
        name_of: dict[int, str] = {}
        for name in self._place:
            # 07 and 007 are one number but two sentences, so ids are texts
            if name_of.setdefault(int(name), name) != name:
                self._name = name
                return
        # 7 and 007 are two as well: keys from 0 on are ids that were written as Python would, and
        # only all keys together show whether one of them is the number of another id
        numbers = np.array(list(name_of), np.int64)
        for keys in pieces:
            twice = keys[np.isin(keys, numbers)]
            if len(twice):
                self._name = name_of[int(twice[0])]
                return

    def settled(self, keys: Ints) -> Ints:
        """Return the final keys (n,): the numbers, if all ids are numbers."""
        if self._name is not None or not self._place:
            return keys
        # key -1 - i stands for the i-th of these ids, and a dict keeps the order of insertion
        number = np.array([int(name) for name in self._place], np.int64)
        settled = keys.copy()
        settled[keys < 0] = number[-1 - keys[keys < 0]]
        return settled

    def named(self, keys: Sequence[int]) -> list[tuple[SentenceName, int]]:
        """Return the sentences in order, each with its key.

        keys: final and distinct, in the order in which they appear.  Raises LineError if only some
        sentences have both a number and an id, for an id with two numbers, and for a number with
        two ids.
        """
        if self._name is None:
            name_of = {int(name): name for name in self._place} | self._names_beside()
            return [(SentenceName(key, name_of.get(key)), key) for key in sorted(keys)]
        if self._beside:
            problem = "expected a number beside every id, as others have"
            raise LineError(f"{problem}; found {quoted(self._name)} alone")
        names = list(self._place)
        spelled = (str(key) if key >= 0 else names[-1 - key] for key in keys)
        return [(SentenceName(sid, name), keys[sid]) for sid, name in enumerate(spelled)]

    def _names_beside(self) -> dict[int, str]:
        """Return the ids by number, of sentences that have both; raises LineError."""
        number: dict[str, int] = {}
        name_of: dict[int, str] = {}
        for sid, name in self._beside:
            if number.setdefault(name, sid) != sid:
                problem = f"expected ids of their own, found {quoted(name)} of sentences"
                raise LineError(f"{problem} {number[name]} and {sid}")
            if name_of.setdefault(sid, name) != name:
                found = f"found {quoted(name_of[sid])} and {quoted(name)}"
                raise LineError(f"sentence {sid}: expected one id, {found}")
        return name_of
