"""Packs sets of lists: in memory, or in scratch files if they are larger.

A block of sentences is packed at a time.  The size of the sets is known only when they are packed.
So sets that could exceed the memory are packed in scratch files, and copied to memory if they fit.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from campanula.formats.arrays.types import Flags, Ids, Ints
from campanula.stages.kernels.relevant.records import Sets
from campanula.stages.tuning.relevant.orders import BLOCK, MEMORY
from campanula.stages.tuning.relevant.set_of_lists import SetOfLists
from campanula.stages.tuning.relevant.space import Memory, Scratch

CODES: Any = (np.uint16, np.uint32)
"""Types of places among a sentence's features; the first type that is wide enough is used."""


@dataclass(frozen=True, slots=True)
class SetCounts:
    """Numbers of sentences, of hypotheses in all lists, and of distinct members of the sets.

    new: distinct members that the last set added; entries: feature values that are packed.
    """

    sentences: int
    hypotheses: int
    distinct: int
    new: int
    entries: int


@dataclass(frozen=True, slots=True)
class SetPacking:
    """How to pack sets; with_truth: the first set has the truths; others as in RelevantSets.of."""

    with_truth: bool = False
    apart: bool = False
    kept: Flags | None = None
    memory: int = MEMORY
    scratch: str | None = None


@dataclass(frozen=True, slots=True)
class PackedSets:
    """Packed sets and their counts; in_blocks: they are in files of `space`, read block by block.

    place (n,): place of the weight of each of the first n features (kernels/relevant/places.py);
    the weights of later features are placed by their ids.
    """

    sets: Sets
    counts: SetCounts
    place: Ids
    in_blocks: bool = False
    space: Memory | None = None

    def placed(self, by_id: Any) -> Any:
        """Return an array (n_features,) indexed by ids as one indexed by places."""
        array = by_id.copy()
        array[self.place] = by_id[: len(self.place)]
        return array

    def by_id(self, placed: Any) -> Any:
        """Return an array (n_features,) indexed by places as one indexed by ids."""
        array = placed.copy()
        array[: len(self.place)] = placed[self.place]
        return array

    def fetch(self, first: int, last: int) -> None:
        """Ask the system to read the sets of sentences first to last, without waiting for them."""
        if self.space is not None:
            sets = self.sets
            hyps = slice(*sets.pointer[[first, last]].tolist())
            span_of = {
                "sentences": (first, last),
                "hyps": (hyps.start, hyps.stop),
                "common": sets.common_pointer[[first, last]].tolist(),
                "rare": sets.rare_pointer[[first, last]].tolist(),
                "valued": sets.valued_pointer[[hyps.start, hyps.stop]].tolist(),
                "binary": sets.binary_pointer[[hyps.start, hyps.stop]].tolist(),
            }
            spans = []
            for field, unit in COUNTED_BY.items():
                size = getattr(sets, field).itemsize
                begin, end = span_of[unit]
                spans.append((begin * size, end * size))
            self.space.fetch(spans)


COUNTED_BY = {
    "pointer": "sentences",
    "truths": "sentences",
    "best": "sentences",
    "common_pointer": "sentences",
    "common": "common",
    "rare_pointer": "sentences",
    "rare": "rare",
    "valued_pointer": "hyps",
    "valued_code": "valued",
    "value": "valued",
    "binary_pointer": "hyps",
    "binary_code": "binary",
    "gain": "hyps",
}
"""The unit of which each array of Sets has one entry, in the order of the arrays."""

COUNTS = ("sentences", "hyps", "rare", "valued", "binary")
"""The units in the order of the packing cursor (kernels/relevant/packing.py).

Common features are known only when everything is packed, so the cursor does not count them.
"""


def pack_sets(all_sets: Sequence[SetOfLists], packing: SetPacking) -> PackedSets:
    """Pack the lists of sets, with codes of two bytes, or of four if a sentence needs them.

    Raises DataError if the disk is full.
    """
    # how many features a sentence has shows only while it is packed, so the narrow type is tried
    for code in CODES:
        packer = SetPacker(all_sets, code, packing)
        try:
            if packer.add_all():
                break
        finally:
            # also after success: maps outlive the files, whose descriptors only reserve space
            packer.space.close()
    return packer.packed()


class SetPacker:
    """Packs the lists of sets, a block of sentences at a time."""

    def __init__(self, all_sets: Sequence[SetOfLists], code: Any, packing: SetPacking) -> None:
        self._all_sets = all_sets
        self._packing = packing
        self._widest = int(np.iinfo(code).max)
        self._cursor = np.zeros(len(COUNTS), np.int64)  # entries packed so far
        self._count = np.zeros(_n_features(all_sets), np.int32)
        self._distinct = self._new = 0
        types = {
            "common": np.uint16,
            "rare": np.int32,
            "truths": np.int32,
            "best": np.int32,
            "gain": np.float64,
        }
        types |= {"value": np.float64, "valued_code": code, "binary_code": code}
        self._types = [np.dtype(types.get(field, np.int64)) for field in Sets._fields]
        most = self._bytes(self._most())
        self._is_small = sum(most) <= packing.memory
        self.space = Memory() if self._is_small else Scratch(packing.scratch or _temporary())
        arrays = [
            self.space.array(size // dtype.itemsize, dtype)
            for size, dtype in zip(most, self._types, strict=True)
        ]
        self._sets = Sets(*arrays)

    def _most(self, first: int = 0, last: int | None = None) -> dict[str, int]:
        """Return the most entries of each unit that sentences first to last can have."""
        last = len(self._all_sets[0].sid) if last is None else last
        most = dict.fromkeys(COUNTS, 0)
        most["sentences"] = last - first
        for lists in self._all_sets:
            start, end = lists.rows.list_pointer[[first, last]].tolist()
            most["hyps"] += end - start
            for kind in ("valued", "binary"):
                pointer = getattr(lists.rows, f"{kind}_pointer")
                most[kind] += int(pointer[end] - pointer[start])
        # at most every value is of another feature
        most["common"] = most["rare"] = most["valued"] + most["binary"]
        return most

    def _used(self) -> dict[str, int]:
        """Return the entries written so far; for common features, the most that may be needed."""
        used = dict(zip(COUNTS, self._cursor.tolist(), strict=True))
        return used | {"common": used["rare"]}

    def _bytes(self, entries: dict[str, int]) -> list[int]:
        """Return the bytes of each array for so many entries; pointers have one entry more."""
        return [
            (entries[unit] + field.endswith("pointer")) * dtype.itemsize
            for (field, unit), dtype in zip(COUNTED_BY.items(), self._types, strict=True)
        ]

    def add_all(self) -> bool:
        """Pack everything; return False if a sentence has more features than codes can number."""
        n = len(self._all_sets[0].sid)
        starts = {"pointer", "rare_pointer", "valued_pointer", "binary_pointer"}
        for first in range(0, n, BLOCK):
            last = min(first + BLOCK, n)
            used = self._used()
            most = self._most(first, last)
            self.space.reserve(self._bytes({unit: used[unit] + most[unit] for unit in most}))
            if first == 0:  # not before space is reserved: writing to a full disk would crash
                for field in starts:
                    getattr(self._sets, field)[0] = 0
            if not self._add(first, last):
                return False
        return True

    def _add(self, first: int, last: int) -> bool:
        """Pack the sentences first to last; return False if codes are too narrow for one."""
        from campanula.stages.kernels.relevant.distinct import leave_best, mark_new
        from campanula.stages.kernels.relevant.joining import joined_rows
        from campanula.stages.kernels.relevant.packing import pack

        packing = self._packing
        kept = np.zeros(0, np.bool_) if packing.kept is None else packing.kept
        rows = joined_rows([lists.rows for lists in self._all_sets], first, last)
        truths = np.zeros(last - first, np.int32)
        if packing.with_truth:
            pointer = self._all_sets[0].rows.list_pointer
            truths[:] = np.diff(pointer[first : last + 1])
        new = np.empty(len(rows.gain), np.bool_)
        with np.errstate(over="ignore"):  # hashing multiplies modulo 2^64
            mark_new(rows, truths, packing.apart, new)
        self._count_members(new, rows.list_pointer, first, last)
        if not packing.apart:
            leave_best(rows, truths, new)
        too_wide = pack(
            rows, truths, new, kept, self._count, self._widest, self._sets, self._cursor
        )
        return too_wide < 0

    def _count_members(self, new: Flags, pointer: Ints, first: int, last: int) -> None:
        """Count the distinct members, and those among them that the last set added."""
        self._distinct += int(np.count_nonzero(new))
        size = np.diff(self._all_sets[-1].rows.list_pointer[first : last + 1])
        from_last = np.arange(len(new)) >= np.repeat(pointer[1:] - size, np.diff(pointer))
        self._new += int(np.count_nonzero(new & from_last))

    def packed(self) -> PackedSets:
        """Return the packed sets, in memory if they are small enough."""
        from campanula.stages.kernels.relevant.places import settle

        used = self._used()
        place = self._count
        settle(self._sets, used["sentences"], place)  # turns counts into places, in place
        for kind in ("common", "rare"):
            used[kind] = int(getattr(self._sets, f"{kind}_pointer")[used["sentences"]])
        sizes = [
            size // dtype.itemsize
            for size, dtype in zip(self._bytes(used), self._types, strict=True)
        ]
        sets = Sets(*(array[:size] for array, size in zip(self._sets, sizes, strict=True)))
        hypotheses = sum(lists.n_hyps for lists in self._all_sets)
        entries = used["valued"] + used["binary"]
        counts = SetCounts(used["sentences"], hypotheses, self._distinct, self._new, entries)
        if self._is_small:
            return PackedSets(sets, counts, place)
        if sum(array.nbytes for array in sets) <= self._packing.memory:
            return PackedSets(Sets(*(np.array(array) for array in sets)), counts, place)
        return PackedSets(sets, counts, place, in_blocks=True, space=self.space)


def _n_features(all_sets: Sequence[SetOfLists]) -> int:
    """Return the number of feature ids in use: the largest id of all rows, and one more."""
    columns = [ids for lists in all_sets for ids in (lists.rows.valued_id, lists.rows.binary_id)]
    return 1 + max((int(ids.max()) for ids in columns if len(ids)), default=-1)


def _temporary() -> str:
    return tempfile.gettempdir()
