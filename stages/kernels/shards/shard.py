"""A shard of k-best lists as arrays whose features are numbered within the list.

The hypotheses of a sentence share most of their features.  A list has its different ones once, in
`table`, and its entries are places in that table: a byte each where the table has 256 features or
fewer, else two.  So a pass gathers a few hundred weights, works in the innermost cache, and
scatters a few hundred sums.  What is in a table are places among the features of the shard.

With 20 binary features a hypothesis, and 100 hypotheses that have 200 different ones, that is 1.4
bytes an entry; the gain of a hypothesis and the number of its entries take another half.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from campanula.formats.arrays.types import Bytes, Flags, Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lists.lists import Index, Lists

NARROW = 256  # features of a list whose places fit a byte
BLOCK = 64  # lists whose pointers are made at a time
NO_CODES = np.zeros(0, np.int32)


class Shard(NamedTuple):
    """Lists (n_lists) of hypotheses (n_hyps), and what they have of the shard's features.

    Of list i: hypotheses list_pointer[i]:list_pointer[i + 1], and features of the shard
    table[table_pointer[i]:table_pointer[i + 1]], in which the codes are places.  Dense features are
    dense_code[dense_pointer[i]:...], with values from dense_start[i] on, feature by feature.
    sparse_length (n_hyps), or (0,) where no hypothesis has sparse features, and binary_length
    (n_hyps) count the entries of a hypothesis; those of list i begin at sparse_start[i] and, in
    bytes of `narrow`, at binary_start[i].  `wide` are the same bytes two by two.  gain (n_hyps);
    reaches (n_hyps), or (0,) where nobody asked.
    """

    list_pointer: Ints
    table_pointer: Ints
    table: Ids
    dense_pointer: Ints
    dense_code: Ids
    dense_start: Ints
    dense: Floats
    sparse_start: Ints
    sparse_length: Ids
    sparse_code: Ids
    sparse_value: Floats
    binary_start: Ints
    binary_length: Any
    narrow: Bytes
    wide: Any
    gain: Floats
    reaches: Flags

    @property
    def n_lists(self) -> int:
        """Number of lists."""
        return len(self.list_pointer) - 1

    @property
    def n_hyps(self) -> int:
        """Number of hypotheses."""
        return int(self.list_pointer[-1])


@njit(cache=True, nogil=True)
def is_wide(shard: Shard, i: Index) -> bool:
    """Whether the binary features of list i have places of two bytes."""
    return bool(shard.table_pointer[i + 1] - shard.table_pointer[i] > NARROW)


@njit(cache=True, nogil=True)
def block_end(shard: Shard, first: Index) -> int:
    """End of the lists from `first` on, at most BLOCK, whose places have as many bytes."""
    wide, last = is_wide(shard, first), first + 1
    end = min(first + BLOCK, len(shard.list_pointer) - 1)
    while last < end and is_wide(shard, last) == wide:
        last += 1
    return int(last)


@njit(cache=True, nogil=True)
def _since(pointer: Ints, first: Index, last: Index) -> Ints:
    """Pointers first to last, that count from the first."""
    out = np.empty(last - first + 1, np.int64)
    for i in range(last - first + 1):
        out[i] = pointer[first + i] - pointer[first]
    return out


@njit(cache=True, nogil=True)
def _pointer(length: Any, start: Index, end: Index) -> Ints:
    """Pointers (end - start + 1,) of lengths start to end."""
    out = np.empty(end - start + 1, np.int64)
    out[0] = 0
    for j in range(end - start):
        out[j + 1] = out[j] + length[start + j]
    return out


@njit(cache=True, nogil=True)
def block_of(shard: Shard, first: Index, last: Index, codes: Any, size: int) -> Lists:
    """Lists first to last; features are numbered within each.

    codes: `narrow` or `wide`, whose places have `size` bytes.
    """
    start, end = shard.list_pointer[first], shard.list_pointer[last]
    binary = _pointer(shard.binary_length, start, end)
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
def table_of(shard: Shard, i: Index) -> Ids:
    """Features of list i, as places among the shard's."""
    return shard.table[shard.table_pointer[i] : shard.table_pointer[i + 1]]
