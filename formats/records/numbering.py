"""Ids of a list's features as places in a table of the list, for ids of an inventory.

    table          ids of the list's distinct features, ascending
    dense_id, sparse_id, binary_id      places in the table, a byte or two each

The hypotheses of a sentence share most of their features, so an entry takes one byte instead of
four.  Lists whose names are declared in the stream have small ids anyway, and no table.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from campanula.formats.arrays.distinct import numbered
from campanula.formats.arrays.types import Ids
from campanula.formats.records import columns
from campanula.formats.records.columns import ColumnError, Record

COLUMNS = ("dense_id", "sparse_id", "binary_id")


def pack_numbered(ids: dict[str, Ids]) -> dict[str, Any]:
    """Return the columns for msgpack, with a table; empty columns are left out."""
    table, places = numbered(np.concatenate(list(ids.values())))
    record: dict[str, Any] = {"table": columns.pack_ints(table)}
    ends = np.cumsum([len(column) for column in ids.values()])[:-1]
    for name, own in zip(ids, np.split(places, ends), strict=True):
        if len(own):
            record[name] = columns.pack_ints(own)
    return record


def unpack_numbered(record: Record, key: str, limit: int) -> Ids:
    """Return a column of ids below `limit`, with or without a table; raises ColumnError."""
    if "table" not in record:
        return columns.unpack_ids(record, key, limit)
    table = columns.unpack_ids(record, "table", limit)
    if (table[1:] <= table[:-1]).any():
        raise ColumnError("column 'table': expected ids that ascend")
    return np.asarray(table[columns.unpack_ids(record, key, len(table))])
