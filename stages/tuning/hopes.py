"""The imputed hopes of all lists: what CCCP holds fixed."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from formats.columns import Floats, Ints
from formats.errors import DataError
from formats.hope import Hope
from formats.stream import Reader
from stages.tuning.tuning_set import TuningSet


@dataclass(frozen=True, slots=True)
class Hopes:
    """Hopes as shares (n_hyps,): 1 at the hope of a maximum, a distribution for a soft one.

    A list whose shares are all 0 has no hope and is skipped.
    """

    share: Floats

    def places(self, list_pointer: Ints) -> tuple[Ints, Ints, Floats]:
        """Compressed form: pointers (n_lists + 1,), places in their lists, and shares there."""
        at = np.flatnonzero(self.share)
        pointer = np.searchsorted(at, list_pointer).astype(np.int64)
        start = np.repeat(list_pointer[:-1], np.diff(pointer))
        return pointer, at - start, self.share[at]

    @classmethod
    def read(cls, path: str, data: TuningSet) -> Hopes:
        """Read a hope stream; raises DataError unless it has just the lists' sentences."""
        share = np.zeros(data.lists.n_hyps)
        spans = list(pairwise(data.lists.list_pointer.tolist()))
        count = 0
        with Reader(path, Hope) as reader:
            for count, hope in enumerate(reader, 1):
                if count > len(spans):
                    break
                first, last = spans[count - 1]
                sid = int(data.sid[count - 1])
                if (hope.sid, hope.size) != (sid, last - first):
                    problem = f"expected sentence {sid} of {last - first} hypotheses as in"
                    found = f"found sentence {hope.sid} of {hope.size}"
                    place = f"sentence {hope.sid}"
                    raise DataError(reader.name, place, f"{problem} {data.source}, {found}")
                share[first + hope.index] = hope.weight
        if count != len(spans):
            found = f"found {count if count < len(spans) else 'more'}"
            problem = f"expected {len(spans)} sentences as in {data.source}, {found}"
            raise DataError(reader.name, None, problem)
        return cls(share)
