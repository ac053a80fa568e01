"""A manifest is read as it was written, or refused."""

import json

import pytest

from campanula.formats.errors import DataError
from campanula.formats.inventories import chain
from campanula.formats.inventories.manifest import FILE, Manifest, check_number


def test_round_trip(tmp_path):
    manifest = Manifest(names=3, text=12, table="table-3", links="ab" * 32)
    manifest.write(str(tmp_path))
    assert Manifest.read(str(tmp_path)) == manifest
    assert [manifest.link(k) for k in range(3)] == [chain.START, *[bytes.fromhex("ab" * 16)] * 2]


def test_every_change_is_noticed(tmp_path):
    Manifest(names=3, text=12).write(str(tmp_path))
    path = tmp_path / FILE
    content = json.loads(path.read_text())
    for key in content:
        path.write_text(json.dumps({**content, key: 4}))
        with pytest.raises(DataError, match=r"inventory.json: (damaged|expected)"):
            Manifest.read(str(tmp_path))
    path.write_text("{")
    with pytest.raises(DataError, match="damaged: expected JSON"):
        Manifest.read(str(tmp_path))


def test_what_is_no_inventory(tmp_path):
    with pytest.raises(DataError, match=r"expected an inventory; it has no inventory.json"):
        Manifest.read(str(tmp_path))
    with pytest.raises(DataError, match="expected an inventory; no such folder"):
        Manifest.read(str(tmp_path / "none"))


def test_ids_are_32_bits():
    check_number((1 << 31) - 1, "F")
    with pytest.raises(DataError, match="F: expected at most 2147483647 names, found more"):
        check_number(1 << 31, "F")
