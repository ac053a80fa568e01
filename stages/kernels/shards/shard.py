"""Blocks of a shard's lists as `Lists`, for the kernels of all lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lists.lists import Index, Lists
from campanula.stages.kernels.shards.records import NARROW, ShardLists
from campanula.stages.kernels.wide import wide

BLOCK = 64  # lists at a time: their pointers, made from lengths, stay in the cache


@njit(cache=True, nogil=True)
def is_wide(shard: ShardLists, i: Index) -> bool:
    """Whether the binary features of list i have places of two bytes."""
    return bool(shard.table_pointer[i + 1] - shard.table_pointer[i] > NARROW)


@njit(cache=True, nogil=True)
def block_end(shard: ShardLists, first: Index) -> int:
    """End of the block of lists from `first` on: at most BLOCK, with codes of one width."""
    width = is_wide(shard, first)
    last = first + 1
    end = min(first + BLOCK, len(shard.list_pointer) - 1)
    while last < end and is_wide(shard, last) == width:
        last += 1
    return int(last)


@njit(cache=True, nogil=True)
def _since(pointer: Ints, first: Index, last: Index) -> Ints:
    """Pointers first to last, minus the first of them."""
    # a loop: `pointer[first:last + 1] - pointer[first]` would make two arrays
    out = np.empty(last - first + 1, np.int64)
    for i in range(last - first + 1):
        out[i] = pointer[first + i] - pointer[first]
    return out


@njit(cache=True, nogil=True)
def _pointer(length: Ids, start: Index, end: Index) -> Ints:
    """Pointers (end - start + 1,) of lengths start to end."""
    out = np.empty(end - start + 1, np.int64)
    out[0] = 0
    for j in range(end - start):
        out[j + 1] = out[j] + length[start + j]
    return out


@njit(cache=True, nogil=True)
def _binary_pointer(shard: ShardLists, start: Index, end: Index) -> Ints:
    """Pointers (end - start + 1,) of the binary features of hypotheses start to end."""
    low, high = shard.binary_length, shard.binary_length_high
    out = np.empty(end - start + 1, np.int64)
    out[0] = 0
    for j in range(end - start):
        out[j + 1] = out[j] + low[start + j]
        if len(high):
            out[j + 1] += 256 * wide(high[start + j])
    return out


@njit(cache=True, nogil=True)
def block_of(shard: ShardLists, first: Index, last: Index, codes: Any, size: int) -> Lists:
    """Return lists first to last, each with its features numbered within the list.

    codes: the shard's `narrow` or `wide`, whose entries have `size` bytes.
    """
    start, end = shard.list_pointer[first], shard.list_pointer[last]
    binary = _binary_pointer(shard, start, end)
    # binary_start counts bytes; lists of two bytes a code begin at even places
    at = shard.binary_start[first] // size
    if len(shard.sparse_length):
        sparse = _pointer(shard.sparse_length, start, end)
    else:
        sparse = np.zeros(end - start + 1, np.int64)
    entries = slice(shard.sparse_start[first], shard.sparse_start[last])
    values = slice(shard.dense_start[first], shard.dense_start[last])
    return Lists(
        _since(shard.list_pointer, first, last),
        _since(shard.dense_pointer, first, last),
        shard.dense_code[shard.dense_pointer[first] : shard.dense_pointer[last]],
        _since(shard.dense_start, first, last),
        shard.dense[values],
        sparse,
        shard.sparse_code[entries],
        shard.sparse_value[entries],
        binary,
        codes[at : at + binary[-1]],
    )


@njit(cache=True, nogil=True)
def table_of(shard: ShardLists, i: Index) -> Ids:
    """Features of list i, as places among the shard's."""
    return shard.table[shard.table_pointer[i] : shard.table_pointer[i + 1]]
