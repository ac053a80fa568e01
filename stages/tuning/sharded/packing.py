"""Pack a shard: features are numbered within each list, and the shard lists its features' ids.

Only what a pass reads is packed: texts and statistics stay in the stream.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from campanula.formats.arrays.growing import Column, Pointers
from campanula.formats.arrays.pointers import lengths_of
from campanula.formats.arrays.types import Ids
from campanula.formats.errors import DataError
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.matching import matched
from campanula.formats.text.references import References
from campanula.stages.kernels.shards.records import NARROW, ShardLists
from campanula.stages.tuning.chunks import gain_of
from campanula.stages.tuning.reaching import reaching

STARTS = (
    "list_pointer", "table_pointer", "dense_pointer", "dense_start", "sparse_start",
    "binary_start",
)  # fmt: skip
"""Columns of pointers, and of places where values start."""

TYPES: dict[str, Any] = {
    "sid": np.int64,
    "table": np.int32,
    "dense_code": np.int32,
    "dense": np.float64,
    "sparse_length": np.int32,
    "sparse_code": np.int32,
    "sparse_value": np.float64,
    "binary_length": np.uint8,
    "binary_length_high": np.uint8,
    "narrow": np.uint8,
    "gain": np.float64,
    "reaches": np.bool_,
}
"""Types of the other columns."""

MOST = (1 << 16) - 1  # features of a list: places and counts of them take at most two bytes


class ShardPacker:
    """Collects the lists of a shard in the columns of STARTS and TYPES."""

    def __init__(self) -> None:
        self._pointers = {name: Pointers() for name in STARTS}
        columns = {name: Column(dtype) for name, dtype in TYPES.items()}
        self._columns: dict[str, Column] = {**self._pointers, **columns}

    def add(self, kbest: KBest, source: str, references: References | None) -> None:
        """Add a list; raises DataError if it has no gains or more than MOST features."""
        columns = self._columns
        columns["sid"].append(kbest.sid)
        columns["gain"].extend(gain_of(kbest, source))
        if references is not None:
            columns["reaches"].extend(reaching(kbest, references))
        self._pointers["list_pointer"].add_segment(len(kbest))
        widest = self._add_features(kbest.features)
        if widest > MOST:
            problem = f"expected at most {MOST} different features in a list, found {widest}"
            problem += " (--stream takes more)"
            raise DataError(source, f"sentence {kbest.sid}", problem)

    def _add_features(self, features: Features) -> int:
        """Add the features of a list; return how many different features it has."""
        from campanula.stages.kernels.shards.numbering import number_within

        columns = self._columns
        pointers = self._pointers
        ids = (features.dense_id, features.sparse_id, features.binary_id)
        table, codes = number_within(np.concatenate(ids))
        dense, sparse, binary = np.split(codes, np.cumsum([len(column) for column in ids[:2]]))
        columns["table"].extend(table)
        pointers["table_pointer"].add_segment(len(table))
        columns["dense_code"].extend(dense)
        pointers["dense_pointer"].add_segment(len(dense))
        columns["dense"].extend(features.dense.reshape(-1))
        pointers["dense_start"].add_segment(features.dense.size)
        columns["sparse_length"].extend(lengths_of(features.sparse_pointer))
        columns["sparse_code"].extend(sparse)
        columns["sparse_value"].extend(features.sparse_value)
        pointers["sparse_start"].add_segment(len(sparse))
        # low and high bytes of lengths: the high ones are mostly 0, and then are not stored
        length = lengths_of(features.binary_pointer)
        columns["binary_length"].extend((length & 0xFF).astype(np.uint8))
        columns["binary_length_high"].extend((length >> 8).astype(np.uint8))
        self._add_codes(binary, len(table))
        return len(table)

    def _add_codes(self, binary: Ids, size: int) -> None:
        """Add the places of binary features, a byte each, or two in a list of many features.

        Places of two bytes begin at an even byte, so that the column can be read as uint16.
        """
        column = self._columns["narrow"]
        if size <= NARROW:
            column.extend(binary.astype(np.uint8))
        else:
            if len(column) % 2:
                column.append(0)
                self._columns["binary_start"].values[-1] += 1
            column.extend(binary.astype("<u2").view(np.uint8))
        self._columns["binary_start"].append(len(column))

    def arrays(self) -> dict[str, Any]:
        """Return the shard's arrays, with two more.

        gaps: the ids of the shard's features, ascending, as differences (kernels/shards/gaps.py);
        constant: places of the features that vary within no list.
        """
        from campanula.stages.kernels.shards.gaps import gaps_of
        from campanula.stages.kernels.shards.numbering import mark_varying

        arrays: dict[str, Any] = {name: column.values for name, column in self._columns.items()}
        ids = np.unique(arrays["table"])
        arrays["gaps"] = gaps_of(ids)
        # places among the features of the shard: a pass gathers their weights once, in this order
        arrays["table"] = np.searchsorted(ids, arrays["table"]).astype(np.int32)
        for name in ("sparse_length", "binary_length_high", *STARTS):
            if not arrays[name].any():  # zeros alone are not stored
                arrays[name] = arrays[name][:0]
        if len(arrays["narrow"]) % 2:  # an even length can be read as uint16
            arrays["narrow"] = np.append(arrays["narrow"], np.uint8(0))
        # found once and kept: a tuning would have to read every value to find them
        varies = np.zeros(len(ids), np.bool_)
        mark_varying(shard_of(arrays), varies)
        arrays["constant"] = np.flatnonzero(~varies).astype(np.int32)
        return arrays


def shard_of(arrays: Mapping[str, Any]) -> ShardLists:
    """Return the shard of a packer's arrays, without a copy.

    An empty pointer means a pointer of zeros.
    """
    wide = arrays["narrow"].view(np.uint16)
    columns = {name: arrays[name] for name in ShardLists._fields if name != "wide"}
    for name in STARTS:
        if not len(columns[name]):
            columns[name] = np.zeros(len(arrays["sid"]) + 1, np.int64)
    return ShardLists(**columns, wide=wide)


def pack(
    lists: Iterable[KBest], source: str, references: References | None = None
) -> dict[str, Any]:
    """Return the arrays of a shard's lists; raises DataError for a list without gains."""
    packer = ShardPacker()
    if references is not None:
        lists, references = matched(lists, references)
    for kbest in lists:
        packer.add(kbest, source, references)
    return packer.arrays()
