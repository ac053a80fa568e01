"""The features of a shard as the gaps between their ids: two bytes each instead of four.

A gap is the difference to the id before, for the first id to -1.  A gap of 65,535 is added and is
not an id itself, so that larger gaps are written as several entries.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from campanula.formats.arrays.types import Floats, Ids
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.shards.records import MORE, SLOPE, WEIGHT
from campanula.stages.kernels.wide import wide


def gaps_of(ids: Ids) -> Any:
    """Gaps (n or more,), uint16, of ids (n,) that ascend."""
    # a gap is times * MORE + rest: as many entries MORE, and `rest`, which is less, ends it
    times, rest = np.divmod(np.diff(ids.astype(np.int64), prepend=-1), MORE)
    gaps = np.full(len(ids) + int(times.sum()), MORE, np.uint16)
    gaps[np.cumsum(times + 1) - 1] = rest
    return gaps


@njit(cache=True, nogil=True)
def ids_of(gaps: Any, ids: Ids) -> None:
    """Write the ids of which `gaps` are the gaps to ids (n,)."""
    number = wide(-1)
    place = 0
    for e in range(len(gaps)):
        number += wide(gaps[e])
        if gaps[e] != MORE:
            ids[place] = number
            place += 1


@njit(cache=True, nogil=True)
def gather_pairs(gaps: Any, theta: Floats, pair: Floats) -> None:
    """Write the weights of the shard's features to pair (n, 2): WEIGHT, and 0 as SLOPE.

    theta: the weights of all features; pair may be (n, 1), where slopes are not needed.
    """
    # the 0 first: where there is one column, the weight overwrites it
    number = wide(-1)
    place = 0
    last = pair.shape[1] - 1
    for e in range(len(gaps)):
        number += wide(gaps[e])
        if gaps[e] != MORE:
            pair[place, last] = 0.0
            pair[place, WEIGHT] = theta[number]
            place += 1


@njit(cache=True, nogil=True)
def scatter(gaps: Any, pair: Floats, gradient: Floats) -> None:
    """Add the slopes of pair (n, 2) to the gradient of all features, at the shard's features."""
    number = wide(-1)
    place = 0
    for e in range(len(gaps)):
        number += wide(gaps[e])
        if gaps[e] != MORE:
            gradient[number] += pair[place, SLOPE]
            place += 1
