"""Every bit of an inventory that is flipped is noticed, and the file is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.verifying import blocks, verify
from campanula.stages.inventories.growing import Growing


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Growing(str(tmp_path / "F"), new=True) as growing:
        for _ in range(3):
            growing.see(growing.ids_of_names(["a", "bc", "é"]))
            growing.commit()
        growing.ids_of_names(f"w{k}" for k in range(70_000))
        growing.commit()
        growing.ids_of_names(["last"])
        growing.commit()
    return tmp_path / "F"


def verified(path: Path) -> int:
    """Number of the names of an inventory in which nothing is found."""
    inventory = Inventory.open(str(path))
    verify(inventory)
    return len(inventory)


def test_a_good_one(path: Path) -> None:
    assert verified(path) == 70_004


def test_an_empty_one(tmp_path: Path) -> None:
    with Growing(str(tmp_path / "F"), new=True) as growing:
        growing.commit()
    assert verified(tmp_path / "F") == 0


def test_full_blocks_alone(tmp_path: Path) -> None:
    with Growing(str(tmp_path / "F"), new=True) as growing:
        growing.ids_of_names(f"w{k}" for k in range(2 * 65536))
        growing.commit()
    assert verified(tmp_path / "F") == 2 * 65536


def test_every_flip(path: Path) -> None:
    for file in sorted(path.iterdir()):
        data = file.read_bytes()
        for place in range(0, len(data), max(1, len(data) // 13)):
            damaged = bytearray(data)
            damaged[place] ^= 0x10
            file.write_bytes(damaged)
            with pytest.raises(DataError, match=r"damaged|expected"):
                verify(Inventory.open(str(path)))
        file.write_bytes(data)
    verify(Inventory.open(str(path)))


def test_blocks() -> None:
    assert list(blocks(0)) == []
    assert list(blocks(65537)) == [(0, 65536), (65536, 65537)]
