"""An inventory on disk: read as it was made; what is damaged or another is said in one line."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.reference import InventoryReference
from campanula.stages.inventories.growing import Growing

NAMES = ["LM0", "block:haus|house", "é", "x" * 1000]


@pytest.fixture
def path(tmp_path: Path) -> str:
    with Growing(str(tmp_path / "F"), new=True) as growing:
        growing.see(growing.ids_of_names(NAMES))
        growing.commit()
    return str(tmp_path / "F")


def test_names_by_id(path: str) -> None:
    inventory = Inventory.open(path)
    assert (len(inventory), list(inventory), inventory[1]) == (4, NAMES, NAMES[1])
    assert inventory[-1] == NAMES[-1]
    assert inventory.between(1, 3) == NAMES[1:3]
    assert inventory.since(4) == []
    assert inventory.count.tolist() == [1, 1, 1, 1]
    with pytest.raises(IndexError):
        inventory[4]


def test_prefixes_are_good_and_others_are_not(path: str) -> None:
    inventory = Inventory.open(path)
    for n in range(5):
        inventory.check(InventoryReference(n, inventory.digest(n)), "lists")
    with pytest.raises(DataError, match=r"^lists: is against another inventory \(00000000 of 2"):
        inventory.check(InventoryReference(2, "0" * 32), "lists")
    with pytest.raises(DataError, match=r"^lists: is against an inventory with 3 names more than "):
        inventory.check(InventoryReference(7, "0" * 32), "lists")


@pytest.mark.parametrize("name", ["names.text", "names.end", "fingerprint", "table-4", "count-1"])
def test_files_that_are_cut_or_missing(path: str, name: str) -> None:
    file = os.path.join(path, name)
    os.truncate(file, os.path.getsize(file) - 1)
    with pytest.raises(DataError, match=f"{name}: damaged: expected .* bytes, found"):
        Inventory.open(path)
    os.unlink(file)
    with pytest.raises(DataError, match=f"{name}: damaged: it is missing"):
        Inventory.open(path)


def test_a_reader_goes_on_while_another_extends(path: str) -> None:
    inventory = Inventory.open(path)
    with Growing(path) as growing:
        growing.see(growing.ids_of_names(["new"]))
        growing.commit()
    assert list(inventory) == NAMES
    assert inventory.count.tolist() == [1, 1, 1, 1]
    longer = Inventory.open(path)
    assert list(longer) == [*NAMES, "new"]
    longer.check(inventory.reference, "lists")


def test_what_is_written_to_it_stays_in_this_process(path: str) -> None:
    Inventory.open(path).count[:] = 9
    assert Inventory.open(path).count.tolist() == [1, 1, 1, 1]


def test_an_empty_one(tmp_path: Path) -> None:
    with Growing(str(tmp_path / "F"), new=True) as growing:
        reference = growing.commit()
    inventory = Inventory.open(str(tmp_path / "F"))
    assert (list(inventory), inventory.reference) == ([], reference)
    assert np.array_equal(inventory.count, [])
