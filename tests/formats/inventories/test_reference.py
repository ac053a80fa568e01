"""References survive their way through a header; what is none is refused in one line."""

from __future__ import annotations

import pytest

from campanula.formats.errors import DataError
from campanula.formats.inventories.reference import MOST_NAMES, InventoryReference, common

REFERENCE = InventoryReference(17, "0123456789abcdef" * 2)


def test_round_trip() -> None:
    assert InventoryReference.unpack(REFERENCE.pack(), "lists") == REFERENCE


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"names": 17},
        {"names": -1, "digest": REFERENCE.digest},
        {"names": True, "digest": REFERENCE.digest},
        {"names": 17, "digest": "0"},
        {"names": MOST_NAMES + 1, "digest": REFERENCE.digest},
    ],
)
def test_what_is_none(value: object) -> None:
    with pytest.raises(DataError, match="lists: header: expected an inventory's number of names"):
        InventoryReference.unpack(value, "lists")


def test_references_that_differ_are_named() -> None:
    other = InventoryReference(18, REFERENCE.digest)
    assert common({"a": REFERENCE, "b": REFERENCE}) == REFERENCE
    assert common({"a": None, "b": None}) is None
    assert common({"a": REFERENCE, "b": other, "c": REFERENCE}, prefixes=True) == other
    with pytest.raises(DataError, match=r"^c: is against another inventory .* than a "):
        common({"a": REFERENCE, "b": REFERENCE, "c": other})


@pytest.mark.parametrize("order", [1, -1])
def test_names_and_numbers_do_not_go_together(order: int) -> None:
    sources = {"indexed": REFERENCE, "named": None}
    mixed = dict(list(sources.items())[::order])
    with pytest.raises(DataError, match=r"^named: has names, indexed is against an inventory"):
        common(mixed)
