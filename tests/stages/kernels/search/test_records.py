"""The records of the search say what each of their fields and columns is."""

from __future__ import annotations

import re

import pytest

from campanula.stages.kernels.search import records

RECORDS = [value for value in vars(records).values() if hasattr(value, "_fields")]


def test_all_records_are_seen():
    names = {record.__name__ for record in RECORDS}
    kept = {"Candidates", "Drawn", "Steps", "Stack", "Work"}
    assert names == {"Nodes", "Hypotheses", "Cubes", *kept}


@pytest.mark.parametrize("record", RECORDS)
def test_records_describe_their_fields(record):
    for field in record._fields:
        assert re.search(rf"\b{field}\b", record.__doc__), field


def test_columns_are_numbered_from_0():
    cube = [value for name, value in vars(records).items() if name.startswith("CUBE_")]
    assert cube == list(range(records.COLUMNS_OF_CUBES))
    assert [value for name, value in vars(records).items() if name.startswith("KEY_")] == [
        0,
        1,
        2,
        3,
    ]
