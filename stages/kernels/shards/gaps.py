"""The features of a shard, as the gaps between their numbers: two bytes each instead of four.

A gap counts from the number before, at the start from -1.  65,535 adds as much without being a
number yet, so that any gap can be said.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from campanula.formats.arrays.types import Floats, Ids
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.shards.records import MORE
from campanula.stages.kernels.wide import wide


def gaps_of(ids: Ids) -> Any:
    """Gaps (n or more,) of ids (n,) that ascend, uint16."""
    times, rest = np.divmod(np.diff(ids.astype(np.int64), prepend=-1), MORE)
    gaps = np.full(len(ids) + int(times.sum()), MORE, np.uint16)
    gaps[np.cumsum(times + 1) - 1] = rest
    return gaps


@njit(cache=True, nogil=True)
def ids_of(gaps: Any, ids: Ids) -> None:
    """Write the numbers to ids (n,)."""
    number, place = wide(-1), 0
    for e in range(len(gaps)):
        number += wide(gaps[e])
        if gaps[e] != MORE:
            ids[place] = number
            place += 1


@njit(cache=True, nogil=True)
def gather_pairs(gaps: Any, theta: Floats, pair: Floats) -> None:
    """Write the entries of theta to pair[:, 0] (n,), and 0 beside them."""
    number, place, last = wide(-1), 0, pair.shape[1] - 1
    for e in range(len(gaps)):
        number += wide(gaps[e])
        if gaps[e] != MORE:
            pair[place, last] = 0.0
            pair[place, 0] = theta[number]
            place += 1


@njit(cache=True, nogil=True)
def scatter(gaps: Any, pair: Floats, gradient: Floats) -> None:
    """Add pair[:, 1] (n,) to the entries of gradient."""
    number, place = wide(-1), 0
    for e in range(len(gaps)):
        number += wide(gaps[e])
        if gaps[e] != MORE:
            gradient[number] += pair[place, 1]
            place += 1
