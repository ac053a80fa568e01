"""Number the features of a list within the list, compiled."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Flags, Ids
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lists.lists import Index, Lists
from campanula.stages.kernels.lists.varying import mark_list
from campanula.stages.kernels.shards.records import ShardLists
from campanula.stages.kernels.shards.shard import block_end, block_of, is_wide, table_of
from campanula.stages.kernels.wide import wide

FREE = -1


@njit(cache=True, nogil=True)
def _slot(slots: Ids, number: int) -> int:
    """Slot of a feature in a hash table, or the free slot for it."""
    last = len(slots) - 1
    # the product spreads ids that follow each other; its lowest bits are mixed least
    slot = (wide(number) * 0x9E3779B1 >> 7) & last
    while slots[slot] != FREE and slots[slot] != number:
        slot = (slot + 1) & last
    return int(slot)


@njit(cache=True, nogil=True)
def distinct(ids: Ids) -> tuple[Ids, Ids]:
    """Return the distinct ids in order of their first occurrence, and the number among them of each
    of ids (n,).
    """
    size = 16
    while size < 2 * len(ids):  # at most half full: probes stay short, and always end
        size *= 2
    slots = np.full(size, FREE, np.int32)
    number = np.empty(size, np.int32)
    features, codes = np.empty(len(ids), np.int32), np.empty(len(ids), np.int32)
    count = 0
    for e in range(len(ids)):
        slot = _slot(slots, ids[e])
        if slots[slot] == FREE:
            slots[slot] = features[count] = ids[e]
            number[slot] = count
            count += 1
        codes[e] = number[slot]
    return features[:count], codes


@njit(cache=True, nogil=True)
def number_within(ids: Ids) -> tuple[Ids, Ids]:
    """Return the distinct ids, ascending, and the place of each of ids (n,) among them."""
    # only the distinct ids are sorted: the entries of a list repeat them many times
    features, codes = distinct(ids)
    order = np.argsort(features)
    rank = np.empty(len(features), np.int32)
    for place in range(len(order)):
        rank[order[place]] = place
    for e in range(len(codes)):
        codes[e] = rank[codes[e]]
    return features[order], codes


@njit(cache=True, nogil=True)
def _mark_block(shard: ShardLists, first: Index, lists: Lists, varies: Flags) -> None:
    for i in range(len(lists.list_pointer) - 1):
        table = table_of(shard, first + i)
        own = np.zeros(len(table), np.bool_)
        mark_list(lists, i, np.zeros((len(table), 2), np.int32), own)
        for u in range(len(table)):
            if own[u]:
                varies[table[u]] = True


@njit(cache=True, nogil=True)
def mark_varying(shard: ShardLists, varies: Flags) -> None:
    """Mark in varies (n_features,) the features that differ between hypotheses of some list."""
    first = 0
    while first < len(shard.list_pointer) - 1:
        last = block_end(shard, first)
        if is_wide(shard, first):
            _mark_block(shard, first, block_of(shard, first, last, shard.wide, 2), varies)
        else:
            _mark_block(shard, first, block_of(shard, first, last, shard.narrow, 1), varies)
        first = last
