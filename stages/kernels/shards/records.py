"""A shard of k-best lists as arrays whose features are numbered within the list.

The hypotheses of a sentence share most of their features.  A list stores its distinct features
once, in `table`, and its entries are places in that table: a byte each if the table has 256
features or fewer, else two.  So a pass gathers a few hundred weights, works in the innermost cache,
and scatters a few hundred sums.  A table's features are places among the features of the shard.

With 20 binary features a hypothesis, and 100 hypotheses that have 200 distinct ones, that is 1.4
bytes an entry; the gain of a hypothesis and the number of its entries take another half byte.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from campanula.formats.arrays.types import Bytes, Flags, Floats, Ids, Ints
from campanula.stages.kernels.lists.formulas import Formula

NARROW = 256  # features of a list whose places fit a byte
MORE = 0xFFFF  # an entry for a gap that the next entry continues (gaps.py)


LOSS, SCALE = range(2)  # entries of Sums.value
WEIGHT, SLOPE = range(2)  # columns of OwnSums.pair


class ShardLists(NamedTuple):
    """Lists (n_lists) of hypotheses (n_hyps), and their features in the shard.

    Of list i: hypotheses list_pointer[i]:list_pointer[i + 1], and features of the shard
    table[table_pointer[i]:table_pointer[i + 1]]; codes are places in this table.  Dense features
    are dense_code[dense_pointer[i]:...], with values from dense_start[i] on, feature by feature.
    sparse_length (n_hyps), or (0,) where no hypothesis has sparse features, and binary_length
    (n_hyps) count the entries of a hypothesis; binary_length_high is the latter's high byte,
    (n_hyps), or (0,) where all are 0.  Entries of list i begin at sparse_start[i] and, in bytes of
    `narrow`, at binary_start[i].  `wide` is the same memory as 16-bit numbers.  gain (n_hyps);
    reaches (n_hyps), or (0,) where no loss needs it.
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
    wide: Any  # uint16, which formats/arrays has no name for
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
    """What a pass computes: the loss of a formula, with costs alpha (1 - gain).

    With imputed hopes, pointer is (n_lists + 1,) and the hopes of list i are
    pointer[i]:pointer[i + 1] of place and mass; without them, pointer is (1,).
    """

    formula: Formula
    alpha: float
    pointer: Ints
    place: Ints
    mass: Floats


class Sums(NamedTuple):
    """The result of passes: value (2,) and gradient (n_features,), or (0,) if none is needed.

    value holds the LOSS and a SCALE.  For EXPECTED_GAIN, loss and gradient are those of the sum of
    the lists' expected gains, multiplied by e^-scale.
    """

    value: Floats
    gradient: Floats


class OwnSums(NamedTuple):
    """Weights of a shard's features, and the sums that a pass adds to: value (2,) as in Sums.

    pair (n, 2): a feature's weight and the sum of its slopes; (n, 1) where slopes are not needed.
    """

    value: Floats
    pair: Floats  # side by side, so that reading the weight brings the slope into the cache

    @property
    def sums(self) -> Sums:
        """The value and the slopes, as views."""
        return Sums(self.value, self.pair[:, SLOPE] if self.pair.shape[1] > 1 else self.pair[:0, 0])
