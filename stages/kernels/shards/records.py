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

from campanula.formats.arrays.types import Bytes, Flags, Floats, Ids, Ints
from campanula.stages.kernels.lists.formulas import Formula

NARROW = 256  # features of a list whose places fit a byte
MORE = 0xFFFF  # a gap between numbers that goes on (gaps.py)


class ShardLists(NamedTuple):
    """Lists (n_lists) of hypotheses (n_hyps), and what they have of the shard's features.

    Of list i: hypotheses list_pointer[i]:list_pointer[i + 1], and features of the shard
    table[table_pointer[i]:table_pointer[i + 1]], in which the codes are places.  Dense features are
    dense_code[dense_pointer[i]:...], with values from dense_start[i] on, feature by feature.
    sparse_length (n_hyps), or (0,) where no hypothesis has sparse features, and binary_length
    (n_hyps) count the entries of a hypothesis, the latter with a high byte, (n_hyps) or (0,) where
    that is 0; those of list i begin at sparse_start[i] and, in bytes of `narrow`, at
    binary_start[i].  `wide` are the same bytes two by two.  gain (n_hyps); reaches (n_hyps), or
    (0,) where nobody asked.
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
    binary_length: Bytes
    binary_length_high: Bytes
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


class Question(NamedTuple):
    """What is asked of lists: a formula, with costs alpha (1 - gain).

    Where hopes are imputed, those of list i are pointer[i]:pointer[i + 1] of place and mass, and
    pointer has shape (n_lists + 1,); else it has shape (1,).
    """

    formula: Formula
    alpha: float
    pointer: Ints
    place: Ints
    mass: Floats


class Sums(NamedTuple):
    """What passes come to: value (2,) and gradient (n_features,), or (0,) where nobody asked.

    value[0] is the loss; of EXPECTED_GAIN, both are sums of the lists' gains times e^-value[1].
    """

    value: Floats
    gradient: Floats


class OwnSums(NamedTuple):
    """Weights of a shard's features and what a pass adds to: value (2,) as in Sums.

    pair (n, 2): a weight and the sum of its slopes stand side by side, so that who comes for one
    has the other in the cache; (n, 1) where nobody asks for slopes.
    """

    value: Floats
    pair: Floats

    @property
    def sums(self) -> Sums:
        """The value and the slopes."""
        return Sums(self.value, self.pair[:, 1] if self.pair.shape[1] > 1 else self.pair[:0, 0])
