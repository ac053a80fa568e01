"""Many k-best lists as a few flat arrays, for the kernels of scoring and tuning.

List i has the hypotheses list_pointer[i]:list_pointer[i + 1].  Its dense features are the ids
dense_id[dense_pointer[i]:dense_pointer[i + 1]], and their values stand from dense_start[i] on in
dense, feature by feature.  Sparse and binary features are compressed rows over all hypotheses.
Bytes: 8 an entry of a dense feature, 12 of a sparse and 4 of a binary one; 16 a hypothesis.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from campanula.formats.arrays.types import Floats, Ids, Ints

Index = Any  # an integer, such as an element of Ints


class Lists(NamedTuple):
    """Features of all hypotheses (n_hyps) of all lists (n_lists).

    By list: list_pointer, dense_pointer and dense_start (n_lists + 1,).  By hypothesis:
    sparse_pointer and binary_pointer (n_hyps + 1,), rows of sparse_id with sparse_value, and of
    binary_id, whose values are 1.  dense_id: a list's dense features; dense: their values.
    """

    list_pointer: Ints
    dense_pointer: Ints
    dense_id: Ids
    dense_start: Ints  # counts values; dense_pointer counts features, and lists differ in size
    dense: Floats  # feature by feature, so that vector units add up the scores of many hypotheses
    sparse_pointer: Ints
    sparse_id: Ids
    sparse_value: Floats
    binary_pointer: Ints
    binary_id: Ids

    @property
    def n_lists(self) -> int:
        """Number of lists."""
        return len(self.list_pointer) - 1

    @property
    def n_hyps(self) -> int:
        """Number of hypotheses."""
        return int(self.list_pointer[-1])

    @property
    def n_entries(self) -> int:
        """Number of stored feature values."""
        return len(self.dense) + len(self.sparse_id) + len(self.binary_id)
