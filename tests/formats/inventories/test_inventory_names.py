"""Names by the ids of an inventory take no new ones, and numbers are no names."""

from __future__ import annotations

import pytest

from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory_names import InventoryNames, NumberedNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.names import Names

REFERENCE = InventoryReference(3, "00" * 16)


def test_numbers_stand_for_names_in_messages_alone() -> None:
    names = NumberedNames(REFERENCE, "dev.kbest")
    assert (len(names), names[2], names.reference) == (3, "#2", REFERENCE)
    for ask in (lambda: list(names), lambda: names.since(0)):
        with pytest.raises(DataError, match=r"dev.kbest: .*expected --inventory, for its names"):
            ask()


def test_nobody_adds_a_name() -> None:
    names = InventoryNames(REFERENCE)
    for ask in (
        lambda: names.id("a"),
        lambda: names.extend(["a"]),
        lambda: names.ids_of(Names(["a"])),
        lambda: "a" in names,
    ):
        with pytest.raises(TypeError):
            ask()
