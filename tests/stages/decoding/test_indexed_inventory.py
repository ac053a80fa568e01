"""Ids by key: what the index has, what is added or left out; both kinds of inventories do alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.stages.decoding.indexed_inventory import IndexedInventory, seed_of
from campanula.stages.decoding.list_inventory import ListInventory
from campanula.stages.decoding.part_inventory import PartInventory
from campanula.stages.decoding.sparse.name_parsing import parsed_names, text_of
from campanula.stages.inventories.growing import Growing

NAMES = [f"uni_{letter}" for letter in "abcdef"]
KEY = parsed_names(*text_of(NAMES)).key


@pytest.fixture
def path(tmp_path: Path) -> str:
    with Growing(str(tmp_path / "F"), new=True) as growing:
        growing.ids_of_names(NAMES[:3])
        growing.commit()
    return growing.path


def inventories(path: str, tmp_path: Path) -> list[IndexedInventory]:
    (tmp_path / "own").mkdir()
    cache = str(tmp_path / "cache")
    return [
        ListInventory(path, True, cache),
        PartInventory(ListInventory(path, False, cache), str(tmp_path / "own"), True),
    ]


def test_a_name_is_spelled_once(path: str, tmp_path: Path) -> None:
    for inventory in inventories(path, tmp_path):
        spelled: list[int] = []

        def spell(places, spelled=spelled):
            spelled.extend(places.tolist())
            return text_of([NAMES[place] for place in places.tolist()])

        with inventory:
            features = inventory.features()
            for _ in range(2):
                assert features.ids(KEY, spell).tolist() == [0, 1, 2, 3, 4, 5]
            assert spelled == [3, 4, 5]
            features.expect(KEY, NAMES)
            features.leave_out(0)
            assert (inventory.n_before, inventory.n_left_out) == (3, 0)
            assert len(inventory.index.kind) == 3
            assert seed_of(inventory) == inventory.index.seed[0]
    assert seed_of(None) == 0
