"""The flag opens the inventory that it names."""

import argparse

import pytest

from campanula.formats.errors import DataError
from campanula.stages.command_line.inventory_flags import add_inventory_flag, given_inventory
from campanula.stages.inventories.growing import Growing


def test_it_is_opened(tmp_path):
    p = argparse.ArgumentParser()
    add_inventory_flag(p)
    assert given_inventory(p.parse_args([])) is None
    args = p.parse_args(["--inventory", str(tmp_path / "F")])
    with pytest.raises(DataError, match="expected an inventory; no such folder"):
        given_inventory(args)
    with Growing(str(tmp_path / "F"), new=True) as growing:
        growing.ids_of_names(["LM0"])
        growing.commit()
    found = given_inventory(args)
    assert found is not None
    assert list(found) == ["LM0"]
    assert given_inventory(args, for_names=True) is not None
    (tmp_path / "F" / "names.text").write_text("LM1\n")
    assert given_inventory(args) is not None
    with pytest.raises(DataError, match=r"names.text: names 0 to 0: damaged"):
        given_inventory(args, for_names=True)
