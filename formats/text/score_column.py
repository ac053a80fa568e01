r"""Scores of hypotheses that another program made, in one of two forms.

    -0.83                         one number per line, in the order of the lists
    12 \t 0 \t -0.83              number or id of a sentence, place in its list (from 0), number;
                                  lines in any order

The form is that of the first line.  Every hypothesis must have exactly one score.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import NoReturn, Protocol

import numpy as np
import xxhash

from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.errors import DataError, LineError, quoted
from campanula.formats.files import display_name, read_lines
from campanula.formats.text.numbers import finite_number

WHOLE = re.compile(r"[0-9]{1,18}", re.ASCII)  # whole numbers that fit in 64 bits


class ScoreColumn(Protocol):
    """The scores of a file, read list by list in the order of the stream."""

    def scores_of(self, sid: int, size: int, name: str | None = None) -> Floats:
        """Return the scores (size,) of the next list.

        name: the id of the sentence, if it has one.  Raises DataError for missing scores, and for
        scores of hypotheses that the list does not have.
        """
        ...

    def finish(self) -> None:
        """Raise DataError when scores are left over."""
        ...

    def digest(self) -> str:
        """Return the checksum of the scores, 16 hexadecimal digits."""
        ...


def read_scores(path: str) -> ScoreColumn:
    """Read a file of scores; raises DataError that names the line."""
    name = display_name(path)
    lines = enumerate(read_lines(path), 1)
    number, first = next(lines, (0, ""))
    if "\t" in first:
        return _parsed(name, _again(number, first, lines))
    return ScoresInOrder.parse(name, _again(number, first, lines) if number else lines)


def _again(number: int, first: str, rest: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    yield number, first
    yield from rest


class ScoresInOrder:
    """Scores in the order of the lists: value (n,)."""

    def __init__(self, name: str, value: Floats) -> None:
        self._name = name
        self._value = value
        self._taken = 0

    @classmethod
    def parse(cls, name: str, lines: Iterator[tuple[int, str]]) -> ScoresInOrder:
        """Read scores from numbered lines; raises DataError."""
        return cls(name, np.array([_number(name, i, line) for i, line in lines], np.float64))

    def scores_of(self, sid: int, size: int, name: str | None = None) -> Floats:
        """Return the scores (size,) of the next list; raises DataError when lines are missing."""
        value = self._value[self._taken : self._taken + size]
        self._taken += size
        if len(value) < size:
            problem = f"expected a score for every hypothesis, found {len(self._value)} lines"
            raise DataError(self._name, f"sentence {sid}", problem)
        return value

    def finish(self) -> None:
        """Raise DataError when lines are left over."""
        if self._taken < len(self._value):
            problem = f"expected {self._taken} lines, one a hypothesis, found {len(self._value)}"
            raise DataError(self._name, None, problem)

    def digest(self) -> str:
        """Return the checksum of the scores, 16 hexadecimal digits."""
        return xxhash.xxh3_64(self._value.astype("<f8").tobytes()).hexdigest()


class ScoresByPlace:
    """Scores sorted by sentence and place in its list: key (n, 2), value (n,).

    ids: the ids of the sentences, if these are no numbers.
    """

    def __init__(self, name: str, key: Ints, value: Floats, ids: Sequence[str] = ()) -> None:
        self._ids = ids
        # lexsort's last key is the first to sort by: the sentence, then the place
        order = np.lexsort((key[:, 1], key[:, 0]))
        self._name = name
        self._key = key[order]
        self._value = value[order]
        self._taken = 0
        again = np.flatnonzero((np.diff(self._key, axis=0) == 0).all(axis=1))
        if len(again):
            self._fail(int(again[0]), "expected one score, found several")

    def scores_of(self, sid: int, size: int, name: str | None = None) -> Floats:
        """Return the scores (size,) of a sentence's list; sentences are asked for in order."""
        first = int(np.searchsorted(self._key[:, 0], sid))
        # sentences ascend, so scores between the last list and this one belong to no list
        if first > self._taken:
            self._fail(self._taken, "expected a list of this sentence, found none")
        scores = self.at(sid, size, str(sid))
        self._taken = first + len(scores)
        return scores

    def at(self, sid: int, size: int, name: str) -> Floats:
        """Return the scores (size,) of a sentence; `name` is the sentence in DataError."""
        first, last = np.searchsorted(self._key[:, 0], [sid, sid + 1]).tolist()
        place = self._key[first:last, 1]
        if len(place) and place[-1] >= size:
            self._fail(last - 1, f"expected a place below {size}, the length of the list")
        # places are distinct and below `size` by now, so fewer of them leave a gap
        if len(place) < size:
            missing = int(np.setdiff1d(np.arange(size), place)[0])
            where = f"sentence {name}: hypothesis {missing}"
            raise DataError(self._name, where, "expected a score, found none")
        return self._value[first:last]

    def finish(self) -> None:
        """Raise DataError when scores are left over."""
        if self._taken < len(self._key):
            self._fail(self._taken, "expected a list of this sentence, found none")

    def digest(self) -> str:
        """Return the checksum of the scores and their places, 16 hexadecimal digits."""
        summed = xxhash.xxh3_64(self._value.astype("<f8").tobytes())
        summed.update(self._key.astype("<i8").tobytes())
        return summed.hexdigest()

    def _fail(self, at: int, problem: str) -> NoReturn:
        sid, place = self._key[at].tolist()
        sentence = self._ids[sid] if self._ids else sid
        raise DataError(self._name, f"sentence {sentence}: hypothesis {place}", problem)


class ScoresById:
    """Scores of sentences with ids; number: by id, the sentence's number in `by_place`."""

    def __init__(self, name: str, number: Mapping[str, int], by_place: ScoresByPlace) -> None:
        self._name = name
        self._number = number
        self._by_place = by_place
        self._left = dict.fromkeys(number)  # ids whose scores nobody has asked for yet

    def scores_of(self, sid: int, size: int, name: str | None = None) -> Floats:
        """Return the scores (size,) of a sentence's list; raises DataError if it has none."""
        key = str(sid) if name is None else name
        if key not in self._number:
            raise DataError(self._name, f"sentence {key}", "expected scores, found none")
        self._left.pop(key, None)
        return self._by_place.at(self._number[key], size, key)

    def finish(self) -> None:
        """Raise DataError when scores are left over."""
        for key in self._left:
            raise DataError(self._name, f"sentence {key}", "expected its list, found none")

    def digest(self) -> str:
        """Return the checksum of the scores, their places and ids, 16 hexadecimal digits."""
        summed = xxhash.xxh3_64("\n".join(self._number).encode())
        summed.update(self._by_place.digest().encode())
        return summed.hexdigest()


def _parsed(name: str, lines: Iterator[tuple[int, str]]) -> ScoreColumn:
    """Read scores with their places from numbered lines; raises DataError.

    Sentences are taken by number if all their ids are whole numbers.
    """
    number: dict[str, int] = {}
    # 8 bytes a number; a list of Python's numbers would take several times as much
    sentences = array("q")
    places = array("q")
    values = array("d")
    for i, line in lines:
        sentence, place, value = _fields(name, i, line)
        sentences.append(number.setdefault(sentence, len(number)))
        places.append(place)
        values.append(value)
    numbers = all(map(WHOLE.fullmatch, number))
    ids = np.array([int(key) if numbers else i for key, i in number.items()], np.int64)
    key = np.stack([ids[np.array(sentences)], np.array(places)], axis=1)
    shown = [] if numbers else list(number)
    by_place = ScoresByPlace(name, key, np.array(values), shown)
    return by_place if numbers else ScoresById(name, number, by_place)


def _number(name: str, i: int, text: str) -> float:
    try:
        return finite_number(text)
    except LineError as error:
        raise DataError(name, f"line {i}", str(error)) from error


def _fields(name: str, i: int, line: str) -> tuple[str, int, float]:
    fields = line.split("\t")
    if len(fields) != 3 or not fields[0] or not WHOLE.fullmatch(fields[1]):
        problem = (
            f"expected sentence id, place and number, a tab between them, found {quoted(line)}"
        )
        raise DataError(name, f"line {i}", problem)
    return fields[0], int(fields[1]), _number(name, i, fields[2])
