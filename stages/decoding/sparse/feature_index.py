"""An index of sparse features by key: made once from names, for any weights and every model.

    key (kernels/sparse/weights.py) -> id        and for the features that cross a seam: which word
                                                 or phrase they begin with (a *unit*, numbered)

Keys are computed from the fingerprints of words, so they depend on no model.  If two names share a
key, the index is made again with other fingerprints, so features are never merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from campanula.formats.arrays.growing import grown
from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.stages.decoding.sparse.name_parsing import parsed_names, text_of

if TYPE_CHECKING:
    from campanula.stages.kernels.sparse.names import Parsed

SEEDS = 8  # seeds of fingerprints to try; one fails for 45 million names with chance 2 in 10,000
FREE = -1  # key of a free slot
FULL = 0.7  # largest share of a table's slots in use: beyond it, probing gets slow
NAMES, UNITS = range(2)  # columns of FeatureIndex.size

Pieces = Callable[[int], Iterable[tuple[Bytes, Ints]]]
"""Yields a list of names from a number on, in pieces: text, and where each name begins (n + 1,)."""


class FeatureIndex(NamedTuple):
    """Features by key, for n names.

    key, id (slots,): hash table; kind (n,): as in names.Parsed; unit (n,): the unit that a feature
    begins with, or -1; middle (n_trigrams,): the second word of each trigram, as a unit; unit_key,
    unit_number (slots,): hash table of the units (tables.unit_key); size (2,): number of names and
    of units; seed (1,): of the fingerprints; malformed (m,): ids of names that begin like a
    feature's but are none.
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
        """Return the index of n names.

        before: an index of the first of them, which is copied and extended; seed: the first of the
        SEEDS that are tried.  Raises RuntimeError if two names share a key with all of them.
        """
        if before is not None:
            building = Building.after(before, n)
            # if a new name shares a key with another one, all names are read again below
            if all(building.add(*piece) for piece in pieces(len(before.kind))):
                return building.index()
        for k in range(SEEDS):
            building = Building.from_nothing(n, seed + k)
            if all(building.add(*piece) for piece in pieces(0)):
                return building.index()
        raise shared_keys(n)

    @classmethod
    def of_names(cls, names: list[str], seed: int = 0) -> FeatureIndex:
        """Return the index of names, all different."""
        return parsed_index(names, seed)[0]


def parsed_index(names: list[str], seed: int = 0) -> tuple[FeatureIndex, Parsed]:
    """Return the index of names, all different, and the parsed names."""
    texts = text_of(names)
    for k in range(SEEDS):
        parsed = parsed_names(*texts, seed + k)
        building = Building.from_nothing(len(names), seed + k)
        if building.take(parsed):
            return building.index(), parsed
    raise shared_keys(len(names))


def shared_keys(n: int) -> RuntimeError:
    """Return the error for two features that share a key with every seed: a bug of ours."""
    return RuntimeError(f"two of {n} features share a key, with each of {SEEDS} seeds")


class Building:
    """An index of up to n names that is being made."""

    def __init__(self, seed: int, kind: Bytes, unit: Ids, middle: Ids) -> None:
        self._seed = seed
        self._kind = kind
        self._unit = unit
        self._middle = middle
        self._n = self._n_middle = 0
        self._size = np.zeros(1, np.int64)  # number of units
        self._table = empty_table(0)
        self._units = empty_table(0)
        self._malformed: list[Ints] = []

    @classmethod
    def from_nothing(cls, n: int, seed: int) -> Building:
        """Return an index without names, with memory for n of them."""
        building = cls(seed, np.empty(n, np.uint8), np.empty(n, np.int32), np.empty(0, np.int32))
        building._table = empty_table(n)
        return building

    @classmethod
    def after(cls, index: FeatureIndex, n: int) -> Building:
        """Return a copy of an index, with memory for n names in all."""
        building = cls.from_nothing(n, int(index.seed[0]))
        building._n = len(index.kind)
        building._n_middle = len(index.middle)
        building._kind[: building._n] = index.kind
        building._unit[: building._n] = index.unit
        building._middle = index.middle.copy()
        building._size[0] = index.size[UNITS]
        building._table = copied(index.key, index.id, n)
        building._units = copied(index.unit_key, index.unit_number, int(index.size[UNITS]))
        building._malformed = [index.malformed]
        return building

    def add(self, text: Bytes, pointer: Ints) -> bool:
        """Add names; return False if two names share a key, after which this is of no use."""
        return self.take(parsed_names(text, pointer, self._seed))

    def take(self, parsed: Parsed) -> bool:
        """Add parsed names; return False as `add` does."""
        from campanula.stages.kernels.sparse import names, tables

        n = self._n
        n_new = len(parsed.kind)
        if tables.insert(*self._table, parsed.key, n) >= 0:
            return False
        self._kind[n : n + n_new] = parsed.kind
        most = int(self._size[0]) + 2 * n_new  # a name has at most two new units
        if len(self._units[0]) * FULL < most:
            # room for twice as many, so that the table is not copied for every piece of names
            self._units = copied(*self._units, 2 * most)
        self._middle = grown(self._middle, self._n_middle + n_new)
        self._n_middle += tables.number_units(
            parsed.kind,
            parsed.mark,
            self._unit[n : n + n_new],
            self._middle[self._n_middle :],
            *self._units,
            self._size,
        )
        self._malformed.append(n + np.flatnonzero(parsed.kind == names.MALFORMED))
        self._n += n_new
        return True

    def index(self) -> FeatureIndex:
        """Return the index of all names added."""
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
    """Return the keys and numbers of an empty hash table for n entries."""
    size = 16
    while FULL * size < n:
        size *= 2
    return np.full(size, FREE, np.int64), np.zeros(size, np.int32)


def copied(keys: Ints, numbers: Ids, n: int) -> tuple[Ints, Ids]:
    """Return a copy of a hash table, large enough for n entries in all."""
    from campanula.stages.kernels.sparse import tables

    larger = empty_table(n)
    if len(larger[0]) <= len(keys):
        # an entry has the same slot in a table of the same size, so nothing is hashed again
        return keys.copy(), numbers.copy()
    tables.copy_table(keys, numbers, *larger)
    return larger
