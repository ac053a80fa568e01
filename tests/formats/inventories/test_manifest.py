"""A manifest is read as it was written, or refused."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from campanula.formats.errors import DataError
from campanula.formats.inventories import chain
from campanula.formats.inventories.manifest import FILE, InventoryManifest, check_number

GOOD = InventoryManifest(
    names=140_000,
    text=1_200_000,
    table="table-140000",
    table_checksum="cd" * 16,
    count="count-1",
    count_checksum="ef" * 16,
    generation=1,
    links="ab" * 32,
)


def test_round_trip(tmp_path: Path) -> None:
    GOOD.write(str(tmp_path))
    assert InventoryManifest.read(str(tmp_path)) == GOOD
    assert [GOOD.link(k) for k in range(3)] == [chain.START, *[bytes.fromhex("ab" * 16)] * 2]


BAD: list[dict[str, Any]] = [
    {"names": -1},
    {"names": True},
    {"names": 1 << 31},
    {"names": None},
    {"text": 3},
    {"text": "12"},
    {"bits": 0},
    {"bits": 65},
    {"table": "../table-140000"},
    {"table": "table-1"},
    {"count": "count-2"},
    {"count": None},
    {"links": "ab" * 16},
    {"links": "xy" * 32},
    {"digest": "0"},
    {"index": 7},
    {"table_checksum": ""},
    {"sentences": 1.0},
]


@pytest.mark.parametrize("change", BAD, ids=str)
def test_what_cannot_be_is_refused_although_the_checksum_fits(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    replace(GOOD, **change).write(str(tmp_path))
    with pytest.raises(DataError, match="damaged: expected sizes and digests that go together"):
        InventoryManifest.read(str(tmp_path))


def test_every_change_is_noticed(tmp_path: Path) -> None:
    GOOD.write(str(tmp_path))
    path = tmp_path / FILE
    content = json.loads(path.read_text())
    for key in content:
        path.write_text(json.dumps({**content, key: 4}))
        with pytest.raises(DataError, match=r"inventory.json: (damaged|expected)"):
            InventoryManifest.read(str(tmp_path))
    path.write_text("{")
    with pytest.raises(DataError, match="expected a JSON object, found"):
        InventoryManifest.read(str(tmp_path))


def test_what_is_no_inventory(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"expected an inventory; it has no inventory.json"):
        InventoryManifest.read(str(tmp_path))
    with pytest.raises(DataError, match="expected an inventory; no such folder"):
        InventoryManifest.read(str(tmp_path / "none"))


def test_ids_are_32_bits() -> None:
    check_number((1 << 31) - 1, "F")
    with pytest.raises(DataError, match="F: expected at most 2147483647 names, found more"):
        check_number(1 << 31, "F")


def test_a_pipe_is_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / FILE)
    with pytest.raises(DataError, match="expected a file, found a pipe or a device"):
        InventoryManifest.read(str(tmp_path))
