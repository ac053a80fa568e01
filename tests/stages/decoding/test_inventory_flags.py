"""Flags of the inventory of lists."""

from __future__ import annotations

import argparse

import pytest

from campanula.formats.errors import DataError
from campanula.stages.command import UsageError
from campanula.stages.decoding.inventory_flags import add_lists_inventory_flags, lists_inventory


def given(*flags, needed=False):
    p = argparse.ArgumentParser()
    add_lists_inventory_flags(p)
    return lists_inventory(p.parse_args(flags), needed)


def test_without_an_inventory_lists_have_names():
    assert given() is None
    with pytest.raises(UsageError, match="--no-extend"):
        given("--no-extend")
    with pytest.raises(UsageError, match="--no-count"):
        given("--no-count")
    with pytest.raises(UsageError, match="weights stream"):
        given(needed=True)


def test_an_inventory_that_is_not_there_is_made(tmp_path):
    path = str(tmp_path / "F")
    with pytest.raises(DataError):
        given("--inventory", path, needed=True)
    with pytest.raises(DataError):
        given("--inventory", path, "--no-extend")
    inventory = given("--inventory", path)
    with inventory:
        assert inventory.growing is not None
        inventory.commit()
    inventory = given("--inventory", path, "--no-extend", needed=True)
    assert inventory.growing is None
