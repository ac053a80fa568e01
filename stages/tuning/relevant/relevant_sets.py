"""Relevant sets: of each sentence the union of its lists, packed for training.

The truths are the union of the lists of one set of lists, the alternatives that of all others in
their order.  Both are sets: what equals an earlier member is not added again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.records.names import Names
from campanula.stages.kernels.relevant.records import Sets
from campanula.stages.tuning.relevant.set_of_lists import SetOfLists

BLOCK = 4096
"""Sentences that are joined at a time, and stay together where sets are larger than memory."""

CODES: Any = (np.uint16, np.uint32)
"""Types of places among a sentence's features; the first that is wide enough is taken."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Hypotheses of all lists, and those that are left as members of sets; `new` of the last set.

    entries: features of the members that are not 0.
    """

    sentences: int
    hypotheses: int
    distinct: int
    new: int
    entries: int


@dataclass(frozen=True, slots=True)
class RelevantSets:
    """Packed sets of sentences sid (n_lists,); path and checksum say of what they were made.

    apart: whether alternatives that equal a truth were left out (V - V_K of T&Z Eq. 5).
    """

    sid: Ints
    sets: Sets
    names: Names
    path: str
    checksum: str
    counts: Counts
    scored_by: Mapping[str, object] | None = None

    @property
    def n_lists(self) -> int:
        """Number of sentences."""
        return len(self.sid)

    @classmethod
    def of(
        cls,
        given: Sequence[SetOfLists],
        truth: SetOfLists | None = None,
        *,
        apart: bool = False,
        kept: Flags | None = None,
    ) -> RelevantSets:
        """The union of the lists of each sentence, all with ids of one table of names.

        kept (n_features,): features that are packed (default: all).  Raises DataError for sets of
        other sentences or another metric than the first one's.
        """
        all_sets = ([] if truth is None else [truth]) + list(given)
        for other in all_sets[1:]:
            _check_alike(other, all_sets[0])
        sets, counts = _packed(all_sets, truth is not None, apart, kept)
        return cls(
            all_sets[0].sid,
            sets,
            max((one.names for one in all_sets), key=len),
            display_name(given[0].name),
            " ".join(one.checksum for one in all_sets),
            counts,
            all_sets[0].scored_by,
        )

    def refuse_infinite(self, theta: Floats, whose: str) -> None:
        """Raise DataError for a score that overflows under theta (n_features,): whose weights."""
        from campanula.stages.kernels.relevant.online import scores_of

        score = scores_of(self.sets, theta)
        bad = np.flatnonzero(~np.isfinite(score))
        if len(bad):
            i = int(np.searchsorted(self.sets.pointer, bad[0], "right")) - 1
            problem = f"expected finite scores under {whose}, found {score[bad[0]]}"
            place = f"sentence {self.sid[i]}"
            raise DataError(self.path, place, f"{problem}: numbers too large")


def _check_alike(other: SetOfLists, first: SetOfLists) -> None:
    """Raise DataError for a set of other sentences, or gains of another metric."""
    if other.scored_by != first.scored_by:
        expected = metric_in_words(first)
        problem = f"expected the metric of {first.name}, {expected}; found {metric_in_words(other)}"
        raise DataError(other.name, None, problem)
    if np.array_equal(other.sid, first.sid):
        return
    shorter = min(len(other.sid), len(first.sid))
    differ = np.flatnonzero(other.sid[:shorter] != first.sid[:shorter])
    at = int(differ[0]) if len(differ) else shorter
    expected, found = (
        f"a list of sentence {one.sid[at]}" if at < len(one.sid) else "the end"
        for one in (first, other)
    )
    problem = f"expected {expected}, as {first.name} has, found {found}"
    raise DataError(other.name, f"record {at}", problem)


def metric_in_words(one: SetOfLists) -> str:
    """The metric of a set's gains; raises DataError for one whose settings it cannot have."""
    from campanula.stages.metrics.table import metric_of

    if one.scored_by is None:
        return "none: it does not say"
    return str(metric_of(one.scored_by, one.name) or one.scored_by.get("name"))


def _packed(
    all_sets: Sequence[SetOfLists], with_truth: bool, apart: bool, kept: Flags | None
) -> tuple[Sets, Counts]:
    """The sets, with codes of two bytes, or of four where a sentence has more features."""
    for code in CODES:
        packer = SetsPacker(all_sets, code)
        if packer.add_all(with_truth, apart, kept):
            break
    return packer.sets(), packer.counts()


class SetsPacker:
    """Packs the lists of sets; memory is touched only where something is written."""

    def __init__(self, all_sets: Sequence[SetOfLists], code: Any) -> None:
        n = len(all_sets[0].sid)
        n_hyps = sum(one.n_hyps for one in all_sets)
        n_valued = sum(len(one.rows.value) for one in all_sets)
        n_binary = sum(len(one.rows.binary_id) for one in all_sets)
        self._all_sets = all_sets
        self._widest = int(np.iinfo(code).max)
        self._at = np.zeros(5, np.int64)
        self._sets = Sets(
            np.zeros(n + 1, np.int64),
            np.empty(n, np.int32),
            np.empty(n, np.int32),
            np.zeros(n + 1, np.int64),
            np.empty(n_valued + n_binary, np.int32),
            np.zeros(n_hyps + 1, np.int64),
            np.empty(n_valued, code),
            np.empty(n_valued),
            np.zeros(n_hyps + 1, np.int64),
            np.empty(n_binary, code),
            np.empty(n_hyps),
        )
        self._distinct = self._new = 0

    def add_all(self, with_truth: bool, apart: bool, kept: Flags | None) -> bool:
        """Pack everything; False where a sentence has more features than a code can tell."""
        from campanula.stages.kernels.relevant.distinct import mark_new
        from campanula.stages.kernels.relevant.joining import joined_rows
        from campanula.stages.kernels.relevant.packing import pack

        n = len(self._all_sets[0].sid)
        kept = np.zeros(0, np.bool_) if kept is None else kept
        for first in range(0, n, BLOCK):
            last = min(first + BLOCK, n)
            rows = joined_rows([one.rows for one in self._all_sets], first, last)
            truths = np.zeros(last - first, np.int32)
            if with_truth:
                pointer = self._all_sets[0].rows.list_pointer
                truths[:] = np.diff(pointer[first : last + 1])
            new = np.empty(len(rows.gain), np.bool_)
            with np.errstate(over="ignore"):  # a hash wraps around
                mark_new(rows, truths, apart, new)
            if pack(rows, truths, new, kept, self._widest, self._sets, self._at) >= 0:
                return False
            self._count(new, rows.list_pointer, first, last)
        return True

    def _count(self, new: Flags, pointer: Ints, first: int, last: int) -> None:
        """Count the members, and those that the last set has added."""
        self._distinct += int(np.count_nonzero(new))
        size = np.diff(self._all_sets[-1].rows.list_pointer[first : last + 1])
        from_last = np.arange(len(new)) >= np.repeat(pointer[1:] - size, np.diff(pointer))
        self._new += int(np.count_nonzero(new & from_last))

    def sets(self) -> Sets:
        """What is written."""
        _, hyps, table, valued, binary = self._at.tolist()
        sets = self._sets
        return sets._replace(
            table=sets.table[:table],
            valued_pointer=sets.valued_pointer[: hyps + 1],
            valued_code=sets.valued_code[:valued],
            value=sets.value[:valued],
            binary_pointer=sets.binary_pointer[: hyps + 1],
            binary_code=sets.binary_code[:binary],
            gain=sets.gain[:hyps],
        )

    def counts(self) -> Counts:
        """What was counted."""
        sentences, _, _, valued, binary = self._at.tolist()
        hypotheses = sum(one.n_hyps for one in self._all_sets)
        return Counts(sentences, hypotheses, self._distinct, self._new, valued + binary)
