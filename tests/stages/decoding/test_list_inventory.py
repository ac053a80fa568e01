"""The inventory of the lists that are written."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts
from campanula.stages.decoding.list_inventory import ListInventory
from campanula.stages.decoding.sparse.name_parsing import parsed_names, text_of
from tests.present import present

NAMES = ["uni_a", "uni_b", "uni_c"]
KEY = parsed_names(*text_of(NAMES)).key


def spell(places):
    return text_of([NAMES[place] for place in places.tolist()])


@pytest.fixture
def path(tmp_path):
    """An inventory that has uni_b."""
    folder = str(tmp_path / "F")
    with ListInventory(folder, cache=str(tmp_path / "cache")) as inventory:
        assert inventory.base is None
        assert inventory.ids_of(["LM0"]).tolist() == [0]
        assert inventory.features().ids(KEY[1:2], lambda _: text_of(["uni_b"])).tolist() == [1]
        inventory.commit()
        assert inventory.summary() == ", 2 of 2 names are new"
    return folder


def test_what_it_lacks_is_added(path, tmp_path):
    with ListInventory(path, cache=str(tmp_path / "cache")) as inventory:
        features = inventory.features()
        assert features.ids(KEY[[0, 1, 0]], spell).tolist() == [2, 1, 2]
        assert features.ids(KEY, spell).tolist() == [2, 1, 3]
        assert inventory.reference().names == 4
        another = inventory.features()  # another decoder, which has met none
        assert another.ids(KEY, spell).tolist() == [2, 1, 3]
        inventory.commit()
    assert list(Inventory.open(path)) == ["LM0", "uni_b", "uni_a", "uni_c"]


def test_what_is_not_committed_is_gone(path, tmp_path):
    with ListInventory(path, cache=str(tmp_path / "cache")) as inventory:
        inventory.features().ids(KEY, spell)
    assert len(Inventory.open(path)) == 2


def test_or_it_is_left_out(path, tmp_path):
    with ListInventory(path, False, str(tmp_path / "cache")) as inventory:
        features = inventory.features()
        assert features.ids(KEY, lambda _: pytest.fail("spelled")).tolist() == [-1, 1, -1]
        assert inventory.summary() == ""
        features.leave_out(2)
        assert inventory.summary() == f"; left out 2 times: features that inventory {path} lacks"
        assert inventory.ids_of(["LM0"]).tolist() == [0]
        with pytest.raises(DataError, match="expected feature 'LM1'"):
            inventory.ids_of(["LM0", "LM1"])
        features.expect(np.zeros(0, np.int64), ["LM2"])
        inventory.commit()
    assert len(Inventory.open(path)) == 2


def test_names_that_came_after_the_weights_are_left_out(path, tmp_path):
    with ListInventory(path, cache=str(tmp_path / "cache")) as inventory:
        assert inventory.features().ids(KEY, spell).tolist() == [2, 1, 3]
        inventory.commit()
    grown = Inventory.open(path)
    weights = InventoryReference(3, grown.digest(3))
    with ListInventory(path, False, str(tmp_path / "cache")) as inventory:
        assert inventory.features().ids(KEY, spell).tolist() == [2, 1, 3]
        assert inventory.reference() == grown.reference
        inventory.limit_to(weights)
        assert inventory.features().ids(KEY, spell).tolist() == [2, 1, -1]
        assert inventory.reference() == weights
        with pytest.raises(DataError, match="expected feature 'uni_c'"):
            inventory.ids_of(["uni_c"])
    with ListInventory(path, cache=str(tmp_path / "cache")) as inventory:
        inventory.limit_to(weights)  # which names that are added do not mind
        assert inventory.features().ids(KEY, spell).tolist() == [2, 1, 3]


def list_of(names, *ids):
    """A list whose one hypothesis has some binary features."""
    fired = np.array(ids, np.int32)
    none = Features.of_dense(np.zeros(0, np.int32), np.zeros((0, 1)))
    features = none.with_sparse(np.array([0, len(fired)]), fired, np.ones(len(fired)))
    return KBest(0, Texts.of(["a"]), features, names)


def test_nothing_is_counted_where_that_is_not_asked_for(path, tmp_path):
    """Then lists are against the names that they need, whatever is there besides."""
    before = Inventory.open(path)
    for again in range(2):
        with ListInventory(path, cache=str(tmp_path / "cache"), counts=False) as inventory:
            assert inventory.reference().names == 0
            features = inventory.features()
            for places, known in (([1], 2), ([0, 1], 3), ([1], 3)):
                inventory.see(list_of(inventory.names, *features.ids(KEY[places], spell)))
                assert inventory.reference().names == known
            if not again:
                features.ids(KEY, spell)
            inventory.commit()
            assert inventory.reference() == present(inventory.growing).prefix(3)
        grown = Inventory.open(path)
        assert grown.manifest.generation == before.manifest.generation + 1
        assert list(grown) == ["LM0", "uni_b", "uni_a", "uni_c"]
        assert grown.manifest.sentences == 0
        assert not grown.count.any()


def test_an_index_may_be_made_beside_other_work(path, tmp_path):
    with ListInventory(path, False, str(tmp_path / "cache")) as inventory:
        inventory.expect_index()
        inventory.expect_index()
        assert inventory.features().ids(KEY, spell).tolist() == [-1, 1, -1]
    with ListInventory(str(tmp_path / "G")) as inventory:
        inventory.expect_index()
        assert not len(inventory.index.kind)


def test_what_is_none_is_refused(tmp_path):
    with pytest.raises(DataError):
        ListInventory(str(tmp_path / "none"), extend=False)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("")
    with pytest.raises(DataError):
        ListInventory(str(tmp_path / "folder"))
