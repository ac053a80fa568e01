"""An index of sparse features by key: made of names once, for any weights and every model.

    key (kernels/sparse/weights.py) -> id        and for the features that cross a seam: which word
                                                 or phrase they begin with (a *unit*, numbered)

Keys are made of the fingerprints of words, so they depend on no model.  Two names that share a key
are noticed, and the index is made with other fingerprints then: features are never merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from campanula.formats.arrays.growing import grown
from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.stages.decoding.name_parsing import parsed_names, text_of

if TYPE_CHECKING:
    from campanula.stages.kernels.sparse.names import Parsed

SEEDS = 8  # of fingerprints, tried in turn; with 45 million names one fails with 2 in 10,000
FREE = -1
FULL = 0.7  # share of a table's slots that may be taken
NAMES, UNITS = range(2)  # columns of FeatureIndex.size

Pieces = Callable[[int], Iterable[tuple[Bytes, Ints]]]
"""Pieces of a list of names from a number on: text, and where each name begins in it (n + 1,)."""


class FeatureIndex(NamedTuple):
    """Features by key, for n names.

    key, id (slots,): hash table; kind (n,) as in names.Parsed; unit (n,) what a feature begins
    with, or -1; middle (n_trigrams,) the second word of each trigram, as a unit; unit_key,
    unit_number (slots,): hash table of the units (tables.unit_key); size (2,): how many names and
    units there are; seed (1,) of the fingerprints; malformed (m,): ids of names that begin like a
    feature's and are none.
    """

    key: Ints
    id: Ids
    kind: Bytes
    unit: Ids
    middle: Ids
    unit_key: Ints
    unit_number: Ids
    size: Ints
    seed: Ints
    malformed: Ints

    @classmethod
    def of(
        cls, pieces: Pieces, n: int, before: FeatureIndex | None = None, seed: int = 0
    ) -> FeatureIndex:
        """Index of n names; the first of them may have an index already, which stays as it is.

        `seed` is the first that is tried.
        """
        if before is not None:
            building = Building.after(before, n)
            if all(building.add(*piece) for piece in pieces(len(before.kind))):
                return building.index()
        for k in range(SEEDS):
            building = Building.from_nothing(n, seed + k)
            if all(building.add(*piece) for piece in pieces(0)):
                return building.index()
        raise shared_keys(n)

    @classmethod
    def of_names(cls, names: list[str], seed: int = 0) -> FeatureIndex:
        """Index of names, each once."""
        return parsed_index(names, seed)[0]


def parsed_index(names: list[str], seed: int = 0) -> tuple[FeatureIndex, Parsed]:
    """Index of names, each once, and the names taken apart."""
    texts = text_of(names)
    for k in range(SEEDS):
        parsed = parsed_names(*texts, seed + k)
        building = Building.from_nothing(len(names), seed + k)
        if building.take(parsed):
            return building.index(), parsed
    raise shared_keys(len(names))


def shared_keys(n: int) -> RuntimeError:
    """What to raise when two features share a key, whatever the fingerprints: a bug of ours."""
    return RuntimeError(f"two of {n} features share a key, with each of {SEEDS} seeds")


class Building:
    """An index of up to n names while it is made."""

    def __init__(self, seed: int, kind: Bytes, unit: Ids, middle: Ids) -> None:
        self._seed = seed
        self._kind, self._unit, self._middle = kind, unit, middle
        self._n = self._n_middle = 0
        self._size = np.zeros(1, np.int64)  # of the units
        self._table = empty_table(0)
        self._units = empty_table(0)
        self._malformed: list[Ints] = []

    @classmethod
    def from_nothing(cls, n: int, seed: int) -> Building:
        """One without names as yet."""
        made = cls(seed, np.empty(n, np.uint8), np.empty(n, np.int32), np.empty(0, np.int32))
        made._table = empty_table(n)
        return made

    @classmethod
    def after(cls, index: FeatureIndex, n: int) -> Building:
        """One that has the names of an index, of which it takes copies."""
        made = cls.from_nothing(n, int(index.seed[0]))
        made._n, made._n_middle = len(index.kind), len(index.middle)
        made._kind[: made._n] = index.kind
        made._unit[: made._n] = index.unit
        made._middle = index.middle.copy()
        made._size[0] = index.size[UNITS]
        made._table = copied(index.key, index.id, n)
        made._units = copied(index.unit_key, index.unit_number, int(index.size[UNITS]))
        made._malformed = [index.malformed]
        return made

    def add(self, text: Bytes, pointer: Ints) -> bool:
        """Add names; False, and of no more use, when two of all share a key."""
        return self.take(parsed_names(text, pointer, self._seed))

    def take(self, parsed: Parsed) -> bool:
        """Add names that have been taken apart."""
        from campanula.stages.kernels.sparse import names, tables

        n, more = self._n, len(parsed.kind)
        if tables.insert(*self._table, parsed.key, n) >= 0:
            return False
        self._kind[n : n + more] = parsed.kind
        most = int(self._size[0]) + 2 * more
        if len(self._units[0]) * FULL < most:
            self._units = copied(*self._units, 2 * most)
        self._middle = grown(self._middle, self._n_middle + more)
        self._n_middle += tables.number_units(
            parsed.kind,
            parsed.mark,
            self._unit[n : n + more],
            self._middle[self._n_middle :],
            *self._units,
            self._size,
        )
        self._malformed.append(n + np.flatnonzero(parsed.kind == names.MALFORMED))
        self._n += more
        return True

    def index(self) -> FeatureIndex:
        """The index of all that was added."""
        return FeatureIndex(
            *self._table,
            self._kind[: self._n],
            self._unit[: self._n],
            self._middle[: self._n_middle],
            *self._units,
            np.array([self._n, self._size[0]], np.int64),
            np.array([self._seed], np.int64),
            np.concatenate([np.zeros(0, np.int64), *self._malformed]),
        )


def empty_table(n: int) -> tuple[Ints, Ids]:
    """Keys and numbers of a hash table with room for n entries."""
    size = 16
    while FULL * size < n:
        size *= 2
    return np.full(size, FREE, np.int64), np.zeros(size, np.int32)


def copied(keys: Ints, numbers: Ids, n: int) -> tuple[Ints, Ids]:
    """A hash table with what another has, and room for n entries in all."""
    from campanula.stages.kernels.sparse import tables

    larger = empty_table(n)
    if len(larger[0]) <= len(keys):
        return keys.copy(), numbers.copy()
    tables.copy_table(keys, numbers, *larger)
    return larger
