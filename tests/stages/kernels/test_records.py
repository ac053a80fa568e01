"""The search's records say what each of their fields is."""

from __future__ import annotations

import re

import pytest

from campanula.stages.kernels import records

RECORDS = [
    value
    for value in vars(records).values()
    if hasattr(value, "_fields") and value.__module__ == records.__name__
]


def test_all_records_are_seen():
    names = {record.__name__ for record in RECORDS}
    assert {"Graph", "LanguageModel", "Options", "Outlook", "Table"} <= names


@pytest.mark.parametrize("record", RECORDS)
def test_records_describe_their_fields(record):
    for field in record._fields:
        assert re.search(rf"\b{field}\b", record.__doc__), field
