from __future__ import annotations

import numpy as np
import pytest

from campanula.formats.records.columns import ColumnError, pack_ints
from campanula.formats.records.numbering import COLUMNS, pack_numbered, unpack_numbered


@pytest.mark.parametrize("width", [0, 1, 256, 257, 70_000])
def test_ids_come_back(width: int) -> None:
    rng = np.random.default_rng(width)
    pool = rng.choice(2**31 - 1, width, replace=False).astype(np.int32)
    ids = {name: rng.permutation(pool)[: width // (n + 1)] for n, name in enumerate(COLUMNS)}
    record = pack_numbered(ids)
    for name in COLUMNS:
        if len(ids[name]):
            assert (unpack_numbered(record, name, 2**31 - 1) == ids[name]).all()
        else:
            assert name not in record


def test_an_entry_of_a_small_table_takes_a_byte() -> None:
    ids = np.arange(10**9, 10**9 + 200, dtype=np.int32)
    record = pack_numbered({"binary_id": np.tile(ids, 50)})
    assert len(record["binary_id"][1]) == 200 * 50


@pytest.mark.parametrize(
    ("table", "ids", "expected"),
    [
        ([3, 3], [0, 1], "'table': expected ids that ascend"),
        ([5, 4], [0, 1], "'table': expected ids that ascend"),
        ([4, 9], [0, 1], "'table': expected ids below 9, found 9"),
        ([4, 5], [0, 2], "'binary_id': expected ids below 2, found 2"),
        ([-1, 5], [0], "'table': expected ids below 9"),
    ],
)
def test_what_is_no_table_is_refused(table: list[int], ids: list[int], expected: str) -> None:
    record = {"table": pack_ints(np.array(table, np.int32))}
    record["binary_id"] = pack_ints(np.array(ids, np.int32))
    with pytest.raises(ColumnError, match=expected):
        unpack_numbered(record, "binary_id", 9)


def test_without_a_table_ids_are_as_they_stand() -> None:
    record = {"binary_id": pack_ints(np.array([7, 3], np.int32))}
    assert unpack_numbered(record, "binary_id", 9).tolist() == [7, 3]
