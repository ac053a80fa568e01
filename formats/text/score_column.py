r"""Scores of hypotheses that another program made, in one of two forms.

    -0.83                         a number a line, in the order of the lists
    12 \t 0 \t -0.83              sentence id, place in its list (from 0), number; in any order

The first line tells which.  Every hypothesis has exactly one score.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn, Protocol

import numpy as np
import xxhash

from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.errors import DataError, LineError
from campanula.formats.files import display_name, read_lines
from campanula.formats.text.numbers import finite_number

WHOLE = re.compile(r"[0-9]{1,18}", re.ASCII)


class ScoreColumn(Protocol):
    """Scores, asked for list by list in the order of the stream."""

    def of(self, sid: int, size: int) -> Floats:
        """Scores (size,) of the next list; raises DataError when there are others or too few."""
        ...

    def finish(self) -> None:
        """Raises DataError when scores are left over."""
        ...

    def digest(self) -> str:
        """Checksum of the scores, as 16 hexadecimal digits."""
        ...


def read_scores(path: str) -> ScoreColumn:
    """Read a file of scores; raises DataError that names the line."""
    name = display_name(path)
    lines = enumerate(read_lines(path), 1)
    number, first = next(lines, (0, ""))
    if "\t" in first:
        return ScoresByPlace.parse(name, _again(number, first, lines))
    return ScoresInOrder.parse(name, _again(number, first, lines) if number else lines)


def _again(number: int, first: str, rest: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    yield number, first
    yield from rest


class ScoresInOrder:
    """A number a line: value (n,)."""

    def __init__(self, name: str, value: Floats) -> None:
        self._name = name
        self._value = value
        self._taken = 0

    @classmethod
    def parse(cls, name: str, lines: Iterator[tuple[int, str]]) -> ScoresInOrder:
        """Scores of numbered lines."""
        return cls(name, np.array([_number(name, i, line) for i, line in lines], np.float64))

    def of(self, sid: int, size: int) -> Floats:
        """Scores (size,) of the next list."""
        value = self._value[self._taken : self._taken + size]
        self._taken += size
        if len(value) < size:
            problem = f"expected a score for every hypothesis, found {len(self._value)} lines"
            raise DataError(self._name, f"sentence {sid}", problem)
        return value

    def finish(self) -> None:
        """Raises DataError when scores are left over."""
        if self._taken < len(self._value):
            problem = f"expected {self._taken} lines, one a hypothesis, found {len(self._value)}"
            raise DataError(self._name, None, problem)

    def digest(self) -> str:
        """Checksum of the scores."""
        return xxhash.xxh3_64(self._value.astype("<f8").tobytes()).hexdigest()


class ScoresByPlace:
    """Scores with their places, sorted: key (n, 2) sentence and place, value (n,)."""

    def __init__(self, name: str, key: Ints, value: Floats) -> None:
        order = np.lexsort((key[:, 1], key[:, 0]))
        self._name = name
        self._key = key[order]
        self._value = value[order]
        self._taken = 0
        again = np.flatnonzero((np.diff(self._key, axis=0) == 0).all(axis=1))
        if len(again):
            self._fail(int(again[0]), "expected one score, found several")

    @classmethod
    def parse(cls, name: str, lines: Iterator[tuple[int, str]]) -> ScoresByPlace:
        """Scores of numbered lines."""
        keys = []
        values = []
        for i, line in lines:
            sid, place, value = _fields(name, i, line)
            keys.append((sid, place))
            values.append(value)
        return cls(name, np.array(keys, np.int64), np.array(values, np.float64))

    def of(self, sid: int, size: int) -> Floats:
        """Scores (size,) of the list of a sentence, which comes after the last one asked for."""
        first, last = np.searchsorted(self._key[:, 0], [sid, sid + 1]).tolist()
        if first > self._taken:
            self._fail(self._taken, "expected a list of this sentence, found none")
        place = self._key[first:last, 1]
        known = np.arange(size)
        if len(place) and place[-1] >= size:
            self._fail(last - 1, f"expected a place below {size}, the length of the list")
        if len(place) < size:
            missing = int(np.setdiff1d(known, place)[0])
            where = f"sentence {sid}: hypothesis {missing}"
            raise DataError(self._name, where, "expected a score, found none")
        self._taken = last
        return self._value[first:last]

    def finish(self) -> None:
        """Raises DataError when scores are left over."""
        if self._taken < len(self._key):
            self._fail(self._taken, "expected a list of this sentence, found none")

    def digest(self) -> str:
        """Checksum of the scores and their places."""
        summed = xxhash.xxh3_64(self._value.astype("<f8").tobytes())
        summed.update(self._key.astype("<i8").tobytes())
        return summed.hexdigest()

    def _fail(self, at: int, problem: str) -> NoReturn:
        sid, place = self._key[at].tolist()
        raise DataError(self._name, f"sentence {sid}: hypothesis {place}", problem)


def _number(name: str, i: int, text: str) -> float:
    try:
        return finite_number(text)
    except LineError as error:
        raise DataError(name, f"line {i}", str(error)) from error


def _fields(name: str, i: int, line: str) -> tuple[int, int, float]:
    fields = line.split("\t")
    if len(fields) != 3 or not WHOLE.fullmatch(fields[0]) or not WHOLE.fullmatch(fields[1]):
        problem = f"expected sentence id, place and number, a tab between them, found {line[:60]!r}"
        raise DataError(name, f"line {i}", problem)
    return int(fields[0]), int(fields[1]), _number(name, i, fields[2])
