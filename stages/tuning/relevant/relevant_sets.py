"""Relevant sets: the union of each sentence's lists, packed for training.

The truths come from one set of lists, the alternatives from all others in their order.  Both are
sets: a hypothesis that equals an earlier member is not added again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.records.names import Names
from campanula.stages.kernels.relevant.records import Sets
from campanula.stages.tuning.relevant.orders import MEMORY
from campanula.stages.tuning.relevant.packed_sets import (
    PackedSets,
    SetCounts,
    SetPacking,
    pack_sets,
)
from campanula.stages.tuning.relevant.set_of_lists import SetOfLists


@dataclass(frozen=True, slots=True)
class RelevantSets:
    """Packed sets of sentences sid (n_lists,); path and checksum: of the lists they are made of."""

    sid: Ints
    packed: PackedSets
    names: Names
    path: str
    checksum: str
    metric: Mapping[str, object] | None = None

    @property
    def n_lists(self) -> int:
        """Number of sentences."""
        return len(self.sid)

    @classmethod
    def of(
        cls,
        sets: Sequence[SetOfLists],
        truth: SetOfLists | None = None,
        *,
        apart: bool = False,
        kept: Flags | None = None,
        memory: int = MEMORY,
        scratch: str | None = None,
    ) -> RelevantSets:
        """Return the union of the lists of each sentence; all sets have ids of one table of names.

        apart: all truths are packed, and alternatives that equal one are left out (V - V_K of T&Z
        Eq. 5); else the best truth alone is packed; kept (n_features,): features to pack (default:
        all); memory: most bytes of packed sets in memory; scratch: folder for larger sets (default:
        that of temporary files).
        Raises DataError for sets of other sentences or another metric than the first one's.
        """
        all_sets = ([] if truth is None else [truth]) + list(sets)
        for other in all_sets[1:]:
            _check_alike(other, all_sets[0])
        packed = pack_sets(all_sets, SetPacking(truth is not None, apart, kept, memory, scratch))
        return cls(
            all_sets[0].sid,
            packed,
            max((lists.names for lists in all_sets), key=len),  # the longest prefix
            display_name(sets[0].name),
            " ".join(lists.checksum for lists in all_sets),
            all_sets[0].metric,
        )

    @property
    def sets(self) -> Sets:
        """The packed sets."""
        return self.packed.sets

    @property
    def counts(self) -> SetCounts:
        """Numbers of sentences, hypotheses and entries."""
        return self.packed.counts

    @property
    def in_blocks(self) -> bool:
        """Whether the sets are larger than memory, and so visited block by block."""
        return self.packed.in_blocks

    def fetched(self, blocks: Iterable[Ints]) -> Iterator[Ints]:
        """Yield the blocks of an order; the disk already reads the next one meanwhile."""
        # one block behind, so that the next block is asked for before this one is worked on
        before: Ints | None = None
        for block in blocks:
            if self.in_blocks:
                self.packed.fetch(int(block.min()), int(block.max()) + 1)
            if before is not None:
                yield before
            before = block
        if before is not None:
            yield before

    def refuse_infinite(self, theta: Floats, whose: str) -> None:
        """Raise DataError for a score that is not finite under theta (n_features,).

        whose: words for the weights in the message, as "the new weights".
        """
        from campanula.stages.kernels.relevant.online import scores_of

        score = scores_of(self.sets, self.packed.placed(theta))
        bad = np.flatnonzero(~np.isfinite(score))
        if len(bad):
            i = int(np.searchsorted(self.sets.pointer, bad[0], "right")) - 1
            problem = f"expected finite scores under {whose}, found {score[bad[0]]}"
            place = f"sentence {self.sid[i]}"
            raise DataError(self.path, place, f"{problem}: numbers too large")


def _check_alike(other: SetOfLists, first: SetOfLists) -> None:
    """Raise DataError for a set of other sentences than the first, or of another metric."""
    check_metric(first, other)
    if np.array_equal(other.sid, first.sid):
        return
    shorter = min(len(other.sid), len(first.sid))
    differ = np.flatnonzero(other.sid[:shorter] != first.sid[:shorter])
    at = int(differ[0]) if len(differ) else shorter
    expected, found = (
        f"a list of sentence {lists.sid[at]}" if at < len(lists.sid) else "the end"
        for lists in (first, other)
    )
    problem = f"expected {expected}, as {first.name} has, found {found}"
    raise DataError(other.name, f"record {at}", problem)


class Scored(Protocol):
    """A set of lists, or a reader of lists: its name, and the metric of its header."""

    @property
    def name(self) -> str: ...

    @property
    def metric(self) -> Mapping[str, Any] | None: ...


def check_metric(first: Scored, other: Scored) -> None:
    """Raise DataError for gains of another metric than the first one's."""
    if other.metric != first.metric:
        expected = f"expected the metric of {first.name}, {_in_words(first)}"
        raise DataError(other.name, None, f"{expected}; found {_in_words(other)}")


def _in_words(lists: Scored) -> str:
    """Return the name of a metric for a message."""
    from campanula.stages.metrics.table import metric_of

    if lists.metric is None:
        return "none: it does not say"
    return str(metric_of(lists.metric, lists.name) or lists.metric.get("name"))
