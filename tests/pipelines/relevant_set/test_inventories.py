"""The inventory of a run: what it begins with, how it goes on, what happens to a damaged one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.formats.inventories.inventory import Inventory
from campanula.pipelines.relevant_set import inventories
from campanula.pipelines.tasks.stage_task import Leaf
from campanula.stages.inventories.growing import Growing


def names_of(inventory: Leaf) -> list[str]:
    return list(Inventory.open(inventory.path))


@pytest.fixture
def start(tmp_path: Path) -> Leaf:
    inventory = Leaf(os.fspath(tmp_path / "start"), "start")
    inventories.begin(inventory, ["LM0", "WordPenalty0"])
    return inventory


def test_what_is_there_stays(start: Leaf) -> None:
    with Growing(start.path) as growing:
        growing.ids_of_names(["more"])
        growing.commit()
    inventories.begin(start, ["LM0", "WordPenalty0"])
    assert names_of(start) == ["LM0", "WordPenalty0", "more"]


def test_one_goes_on_from_another_which_stays(start: Leaf, tmp_path: Path) -> None:
    grown = Leaf(os.fspath(tmp_path / "grown"), "grown")
    inventories.go_on(start, grown)
    with Growing(grown.path) as growing:
        growing.ids_of_names(["more"])
        growing.commit()
    inventories.go_on(start, grown)
    assert names_of(grown) == ["LM0", "WordPenalty0", "more"]
    assert names_of(start) == ["LM0", "WordPenalty0"]


@pytest.mark.parametrize("file", ["names.text", "names.end", "fingerprint", "inventory.json"])
def test_a_damaged_one_begins_again(start: Leaf, file: str) -> None:
    path = Path(start.path, file)
    path.write_bytes(path.read_bytes()[:-9])
    inventories.begin(start, ["LM0"])
    assert names_of(start) == ["LM0"]


def test_what_a_killed_run_has_left_is_no_inventory(start: Leaf) -> None:
    os.unlink(os.path.join(start.path, "inventory.json"))
    inventories.begin(start, ["LM0"])
    assert names_of(start) == ["LM0"]
