"""The hope of one sentence: the hypotheses at which the concave part of a loss is fixed (CCCP)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.records import columns
from campanula.formats.records.columns import ColumnError
from campanula.formats.records.names import Names

ROUNDING = 1e-6  # weights may add up to 1 within this


@dataclass(frozen=True, slots=True)
class Hope:
    """Hope of sentence `sid`: places `index` (m,) in its k-best list and their `weight` (m,).

    A maximum gives one place of weight 1, a soft maximum a distribution over the list.  Without any
    place the sentence has no hope, since no hypothesis reaches the reference, and is skipped.
    size: number of hypotheses of the list; id: that of the list.
    """

    KIND: ClassVar[str] = "hope"
    VERSION: ClassVar[int] = 1

    sid: int
    size: int
    index: Ints
    weight: Floats
    id: str | None = None

    def pack(self, names: Names) -> dict[str, Any]:
        """Return the record as a map for msgpack."""
        record: dict[str, Any] = {"sid": self.sid, "size": self.size}
        if self.id is not None:
            record["id"] = self.id
        record["index"] = columns.pack_ints(self.index)
        record["weight"] = columns.pack_floats(self.weight)
        return record

    @classmethod
    def unpack(cls, record: dict[str, Any], names: Names) -> Self:
        """Make a record of its map; raises ColumnError."""
        size = columns.unpack_int(record, "size")
        index = columns.unpack_ints(record, "index")
        if len(index) and not 0 <= int(index.min()) <= int(index.max()) < size:
            raise ColumnError(f"expected hypotheses below {size}, found {int(index.max())}")
        if len(np.unique(index)) < len(index):
            raise ColumnError("expected different hypotheses in 'index'")
        weight = columns.unpack_floats(record, "weight", len(index))
        if len(index) and ((weight < 0.0).any() or abs(weight.sum() - 1.0) > ROUNDING):
            raise ColumnError("column 'weight': expected numbers of at least 0 that add up to 1")
        sid = columns.unpack_int(record, "sid")
        return cls(sid, size, index, weight, columns.unpack_id(record))
