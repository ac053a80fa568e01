"""Consecutive k-best lists as arrays, cut so that they take a given number of bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.growing import Column, JoinedColumn
from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.formats.records.matching import matched
from campanula.formats.text.references import References
from campanula.stages.kernels.lists.formulas import Targets
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.tuning.packing import Gathered, Packer, nbytes_of
from campanula.stages.tuning.reaching import reaching

# bytes beside the features: what a chunk holds and what a pass adds
HYPOTHESIS_BYTES = 33  # gain, cost, share of the hope, base of the score (8 each), reach (1)
PAIR_BYTES = 16  # places of the better and the worse hypothesis
LIST_BYTES = 32  # sid, pointer to pairs, pointer to hopes, number of these (8 each)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive lists: sid (n_lists,), gain and reaches (n_hyps,), stats (n_hyps, n_stats).

    first: number of the first list among all; reaches: mask of the hypotheses that reach a
    reference; stats: None if the lists have no statistics.
    """

    first: int
    sid: Ints
    lists: Lists
    gain: Floats
    reaches: Flags
    stats: Ints | None

    def targets(self, alpha: float) -> Targets:
        """Return what losses read of hypotheses: costs alpha (1 - gain); without sampled pairs."""
        return Targets.of(self.gain, self.reaches, alpha, self.lists.n_lists)


def cut(
    lists: Iterable[KBest],
    source: str,
    references: References | None = None,
    budget: int | None = None,
    pairs: int = 0,
) -> Iterator[Chunk]:
    """Yield chunks of at most `budget` bytes, or of one list that takes more; None: one chunk.

    The bytes are those of the columns and of what a pass adds to them, with `pairs` sampled pairs
    a list.  With a budget, a chunk has no statistics and is valid until the next one, which is
    written over it.  Raises DataError, with `source` as the file, for a list without gains.
    """
    if references is not None:
        lists, references = matched(lists, references)
    collected = _Collected(source, references, whole=budget is None)
    for kbest in lists:
        if budget is not None:
            size = nbytes_of(kbest.features) + LIST_BYTES + PAIR_BYTES * pairs
            size += HYPOTHESIS_BYTES * len(kbest)
            if len(collected.sid) and collected.nbytes + size > budget:
                yield collected.taken()
            collected.nbytes += size
        collected.add(kbest)
        del kbest  # else a long list would take memory while its chunk is worked on
    if len(collected.sid):
        yield collected.taken()


class _Collected:
    """Columns of consecutive lists that will be a chunk; nbytes: as counted by the caller.

    whole: all lists become one chunk, with their statistics; then columns keep the lists' arrays
    and join them at the end, instead of growing.
    """

    def __init__(self, source: str, references: References | None, whole: bool) -> None:
        self.source = source
        self.references = references
        self.whole = whole
        self.first = 0
        self.nbytes = 0
        self.sid = Column(np.int64)
        self._packer = Gathered() if whole else Packer()
        kind: type[Column] | type[JoinedColumn] = JoinedColumn if whole else Column
        self._gain = kind(np.float64)
        self._reaches = kind(np.bool_)
        self._stats: JoinedColumn | None = None
        self._width: int | None = None

    def add(self, kbest: KBest) -> None:
        """Add a list; raises DataError if it has no gains, or another number of statistics."""
        self._packer.add(kbest.features)
        self._gain.extend(gain_of(kbest, self.source))
        self._reaches.extend(reaching(kbest, self.references))
        if self.whole:
            self._add_stats(kbest)
        self.sid.append(kbest.sid)

    def _add_stats(self, kbest: KBest) -> None:
        width = None if kbest.stats is None else kbest.stats.shape[1]
        if not len(self.sid) and width is not None:
            self._stats = JoinedColumn(np.int64, width)
            self._width = width
        own = self._width
        if width != own:
            expected, found = (f"{n} statistics" if n else "no statistics" for n in (own, width))
            problem = f"expected {expected} a hypothesis, as the lists before have, found {found}"
            raise DataError(self.source, f"sentence {kbest.sid}", problem)
        if self._stats is not None and kbest.stats is not None:
            self._stats.extend(kbest.stats)

    def taken(self) -> Chunk:
        """Return the chunk and start the next one, which is written over it unless `whole`."""
        # unless `whole`, these are views of columns whose memory `clear` keeps for the next chunk
        chunk = Chunk(
            first=self.first,
            sid=self.sid.values,
            lists=self._packer.lists(),
            gain=self._gain.values,
            reaches=self._reaches.values,
            stats=None if self._stats is None else self._stats.values,
        )
        self.first += len(self.sid)
        self.nbytes = 0
        for column in (self.sid, self._packer, self._gain, self._reaches):
            column.clear()
        return chunk


def refuse_gains_below_0(gain: Floats, list_pointer: Ints, sid: Ints, source: str) -> None:
    """Raise DataError for a gain (n_hyps,) below 0, which the logarithm of their mean cannot take.

    sid (n_lists,): sentences of the lists.
    """
    below = np.flatnonzero(gain < 0.0)
    if len(below):
        i = int(np.searchsorted(list_pointer, below[0], "right")) - 1
        problem = "expected gains of at least 0, since their mean has a logarithm, found"
        problem += f" {gain[below[0]]:.6g} (the loss bayes-risk takes any)"
        raise DataError(source, f"sentence {sid[i]}", problem)


def gain_of(kbest: KBest, source: str) -> Floats:
    """Return the gains (n_hyps,) of a list; raises DataError if it has none."""
    if kbest.gain is None:
        problem = "expected gains (score-bleu adds them), found none"
        raise DataError(source, f"sentence {kbest.sid}", problem)
    return kbest.gain
