"""Headers survive their way; what is none is refused (test_stream.py has the cases)."""

from __future__ import annotations

import pytest

from campanula.formats.errors import DataError
from campanula.formats.header import Header
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.kbest import KBest

REFERENCE = InventoryReference(17, "0123456789abcdef" * 2)


@pytest.mark.parametrize("metric", [None, {"name": "bleu"}])
@pytest.mark.parametrize("inventory", [None, REFERENCE])
def test_round_trip(metric: dict[str, str] | None, inventory: InventoryReference | None) -> None:
    header = Header("kbest", 1, "how", metric, inventory)
    assert Header.of(header.pack(), "lists", [KBest]) == header


def test_an_inventory_that_is_none() -> None:
    header = {"kind": "kbest", "version": 1, "inventory": "F"}
    with pytest.raises(DataError, match="lists: header: expected an inventory's number"):
        Header.of(header, "lists", [KBest])


@pytest.mark.parametrize(
    ("message", "found"), [(ord("#"), "text"), (2**63, "something else"), ([], "something else")]
)
def test_what_is_no_header(message: object, found: str) -> None:
    with pytest.raises(DataError, match=f"lists: expected a stream, found {found}$"):
        Header.of(message, "lists", [KBest])
