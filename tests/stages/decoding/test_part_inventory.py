"""Numbers of one's own behind the ids of an inventory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.weights import Weights
from campanula.stages.decoding.list_inventory import ListInventory
from campanula.stages.decoding.part_inventory import PartInventory
from campanula.stages.decoding.sparse.name_parsing import parsed_names, text_of
from campanula.stages.inventories.growing import Growing

NAMES = ["uni_a", "uni_b", "uni_c"]
KEY = parsed_names(*text_of(NAMES)).key


def spell(places):
    return text_of([NAMES[place] for place in places.tolist()])


def list_of(*ids: int) -> KBest:
    """A list whose one hypothesis has some binary features."""
    none = Features.of_dense(np.zeros(0, np.int32), np.zeros((0, 1)))
    row = np.array(ids, np.int32)
    features = none.with_sparse(np.array([0, len(row)]), row, np.ones(len(row)))
    return KBest(0, Texts.of(["a"]), features, Names())


@pytest.mark.parametrize("counts", [True, False])
def test_ids_go_on_behind_those_that_there_are(tmp_path: Path, counts: bool) -> None:
    with Growing(str(tmp_path / "F"), new=True) as growing:
        growing.ids_of_names(["LM0", "uni_b", "uni_x"])
        growing.commit()
    (tmp_path / "own").mkdir()
    given = ListInventory(str(tmp_path / "F"), False, str(tmp_path / "cache"))
    with PartInventory(given, str(tmp_path / "own"), counts) as part:
        assert part.extends
        assert not part.own_order
        assert part.ids_of(["LM0", "LM7"]).tolist() == [0, 3]
        assert part.features().ids(KEY, spell).tolist() == [4, 1, 5]
        again = part.features().ids(KEY[::-1].copy(), lambda places: spell(2 - places))
        assert again.tolist() == [5, 1, 4]
        for ids in ((0, 1, 4), (1, 5), (4,)):
            part.see(list_of(*ids))
        names = part.part_names(Weights({"uni_a": 0.5, "uni_b": 9.0}))
    assert (names.text.tobytes(), names.pointer.tolist()) == (b"LM7uni_auni_c", [0, 3, 8, 13])
    assert names.weight.tolist() == [0.0, 0.5, 0.0]
    assert (names.sentences, names.highest) == (3, 1)
    assert names.seen.tolist() == ([0, 2, 1] if counts else [0, 0, 0])
    assert names.known.tolist() == ([0, 1] if counts else [])
    assert names.known_seen.tolist() == ([1, 2] if counts else [])


def test_all_is_new_to_an_inventory_that_is_not_there(tmp_path: Path) -> None:
    with PartInventory(None, str(tmp_path), True) as part:
        part.expect_index()
        assert part.ids_of(["LM0"]).tolist() == [0]
        assert part.features().ids(KEY, spell).tolist() == [1, 2, 3]
        assert part.part_names(Weights({})).highest == -1
