"""Packs sets of lists: in memory, or, where they are larger than that, in scratch files.

A block of sentences is packed at a time.  How large the sets are is known when they are packed:
what could be larger than memory goes to scratch files first, and into memory if it is not.
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
"""Types of places among a sentence's features; the first that is wide enough is taken."""


@dataclass(frozen=True, slots=True)
class SetCounts:
    """Hypotheses of all lists, and those that are left as members of sets; `new` of the last set.

    entries: features that are not 0 of what is packed.
    """

    sentences: int
    hypotheses: int
    distinct: int
    new: int
    entries: int


@dataclass(frozen=True, slots=True)
class SetPacking:
    """How sets are packed: whether the first set is of truths, and as RelevantSets.of has it."""

    with_truth: bool = False
    apart: bool = False
    kept: Flags | None = None
    memory: int = MEMORY
    scratch: str | None = None


@dataclass(frozen=True, slots=True)
class PackedSets:
    """Sets and what they are of; in_blocks: they are in `space`, a block at a time in memory.

    place (n,): where the weights of the first n features stand (kernels/relevant/places.py); those
    of others stand by their ids.
    """

    sets: Sets
    counts: SetCounts
    place: Ids
    in_blocks: bool = False
    space: Memory | None = None

    def placed(self, by_id: Any) -> Any:
        """Of an array (n_features,) by ids, that by places."""
        array = by_id.copy()
        array[self.place] = by_id[: len(self.place)]
        return array

    def by_id(self, placed: Any) -> Any:
        """Of an array (n_features,) by places, that by ids."""
        array = placed.copy()
        array[: len(self.place)] = placed[self.place]
        return array

    def fetch(self, first: int, last: int) -> None:
        """Have sentences first to last come into memory, soon."""
        if self.space is not None:
            sets = self.sets
            hyps = slice(*sets.pointer[[first, last]].tolist())
            at = {
                "sentences": (first, last),
                "hyps": (hyps.start, hyps.stop),
                "common": sets.common_pointer[[first, last]].tolist(),
                "rare": sets.rare_pointer[[first, last]].tolist(),
                "valued": sets.valued_pointer[[hyps.start, hyps.stop]].tolist(),
                "binary": sets.binary_pointer[[hyps.start, hyps.stop]].tolist(),
            }
            spans = []
            for field, of in COUNTED_BY.items():
                size = getattr(sets, field).itemsize
                spans.append((at[of][0] * size, at[of][1] * size))
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
"""What each array of sets has an entry of, in their order."""

COUNTS = ("sentences", "hyps", "rare", "valued", "binary")
"""The same in the order of a cursor (kernels/relevant/packing.py); common ones are told last."""


def pack_sets(all_sets: Sequence[SetOfLists], packing: SetPacking) -> PackedSets:
    """Pack the lists of sets, with codes of two bytes, or of four where a sentence needs them.

    Raises DataError where the disk has no room.
    """
    for code in CODES:
        packer = SetPacker(all_sets, code, packing)
        try:
            if packer.add_all():
                break
        finally:
            packer.space.close()
    return packer.packed()


class SetPacker:
    """Packs the lists of sets, a block of sentences at a time."""

    def __init__(self, all_sets: Sequence[SetOfLists], code: Any, packing: SetPacking) -> None:
        self._all_sets, self._packing = all_sets, packing
        self._widest = int(np.iinfo(code).max)
        self._at = np.zeros(5, np.int64)
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
        """The most entries that sentences first to last can have."""
        last = len(self._all_sets[0].sid) if last is None else last
        found = dict.fromkeys(COUNTS, 0)
        found["sentences"] = last - first
        for one in self._all_sets:
            start, end = one.rows.list_pointer[[first, last]].tolist()
            found["hyps"] += end - start
            for part in ("valued", "binary"):
                pointer = getattr(one.rows, f"{part}_pointer")
                found[part] += int(pointer[end] - pointer[start])
        found["common"] = found["rare"] = found["valued"] + found["binary"]
        return found

    def _used(self) -> dict[str, int]:
        """Entries that are written; of what is common, as many as there may come to be."""
        used = dict(zip(COUNTS, self._at.tolist(), strict=True))
        return used | {"common": used["rare"]}

    def _bytes(self, entries: dict[str, int]) -> list[int]:
        """Bytes of the arrays for so many entries; pointers have one more."""
        return [
            (entries[of] + field.endswith("pointer")) * dtype.itemsize
            for (field, of), dtype in zip(COUNTED_BY.items(), self._types, strict=True)
        ]

    def add_all(self) -> bool:
        """Pack everything; False where a sentence has more features than a code can tell."""
        n = len(self._all_sets[0].sid)
        starts = {"pointer", "rare_pointer", "valued_pointer", "binary_pointer"}
        for first in range(0, n, BLOCK):
            last = min(first + BLOCK, n)
            used, most = self._used(), self._most(first, last)
            self.space.reserve(self._bytes({of: used[of] + most[of] for of in most}))
            if first == 0:
                for field in starts:
                    getattr(self._sets, field)[0] = 0
            if not self._add(first, last):
                return False
        return True

    def _add(self, first: int, last: int) -> bool:
        """Pack a block."""
        from campanula.stages.kernels.relevant.distinct import leave_best, mark_new
        from campanula.stages.kernels.relevant.joining import joined_rows
        from campanula.stages.kernels.relevant.packing import pack

        packing = self._packing
        kept = np.zeros(0, np.bool_) if packing.kept is None else packing.kept
        rows = joined_rows([one.rows for one in self._all_sets], first, last)
        truths = np.zeros(last - first, np.int32)
        if packing.with_truth:
            pointer = self._all_sets[0].rows.list_pointer
            truths[:] = np.diff(pointer[first : last + 1])
        new = np.empty(len(rows.gain), np.bool_)
        with np.errstate(over="ignore"):  # a hash wraps around
            mark_new(rows, truths, packing.apart, new)
        self._count_members(new, rows.list_pointer, first, last)
        if not packing.apart:
            leave_best(rows, truths, new)
        return pack(rows, truths, new, kept, self._count, self._widest, self._sets, self._at) < 0

    def _count_members(self, new: Flags, pointer: Ints, first: int, last: int) -> None:
        """Count the members, and those that the last set has added."""
        self._distinct += int(np.count_nonzero(new))
        size = np.diff(self._all_sets[-1].rows.list_pointer[first : last + 1])
        from_last = np.arange(len(new)) >= np.repeat(pointer[1:] - size, np.diff(pointer))
        self._new += int(np.count_nonzero(new & from_last))

    def packed(self) -> PackedSets:
        """What is written; in memory if it is small enough."""
        from campanula.stages.kernels.relevant.places import settle

        used, place = self._used(), self._count
        settle(self._sets, used["sentences"], place)  # from counts to places
        for kind in ("common", "rare"):
            used[kind] = int(getattr(self._sets, f"{kind}_pointer")[used["sentences"]])
        sizes = [
            size // dtype.itemsize
            for size, dtype in zip(self._bytes(used), self._types, strict=True)
        ]
        sets = Sets(*(array[:size] for array, size in zip(self._sets, sizes, strict=True)))
        hypotheses = sum(one.n_hyps for one in self._all_sets)
        entries = used["valued"] + used["binary"]
        counts = SetCounts(used["sentences"], hypotheses, self._distinct, self._new, entries)
        if self._is_small:
            return PackedSets(sets, counts, place)
        if sum(array.nbytes for array in sets) <= self._packing.memory:
            return PackedSets(Sets(*(np.array(array) for array in sets)), counts, place)
        return PackedSets(sets, counts, place, in_blocks=True, space=self.space)


def _n_features(all_sets: Sequence[SetOfLists]) -> int:
    """Ids that the rows may have."""
    columns = [ids for one in all_sets for ids in (one.rows.valued_id, one.rows.binary_id)]
    return 1 + max((int(ids.max()) for ids in columns if len(ids)), default=-1)


def _temporary() -> str:
    """Folder of temporary files."""
    return tempfile.gettempdir()
