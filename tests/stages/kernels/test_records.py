"""The search's records say what each of their fields is."""

from __future__ import annotations

import re

import pytest

from campanula.stages.kernels import records

RECORDS = [
    value
    for value in vars(records).values()
    if isinstance(value, type) and hasattr(value, "_fields")
]


def test_all_records_are_seen():
    assert {"Graph", "LanguageModel", "Options", "Outlook", "Table"} <= {
        record.__name__ for record in RECORDS
    }


@pytest.mark.parametrize("record", [r for r in RECORDS if r.__name__ in ("Graph", "Options")])
def test_records_describe_their_fields(record):
    for field in record._fields:
        assert re.search(rf"\b{field}\b", record.__doc__), field
