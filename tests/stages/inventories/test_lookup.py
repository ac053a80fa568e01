"""Ids are those of a dictionary, and -1 for a name that is not there."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.names import is_name
from campanula.stages.inventories.growing import Growing
from campanula.stages.inventories.lookup import Lookup

NAMES = st.text(max_size=30).filter(is_name)


@given(st.lists(NAMES, max_size=30), st.lists(NAMES, max_size=30), st.sampled_from([64, 2]))
@settings(max_examples=20)
def test_ids_are_those_of_a_dictionary(tmp_path_factory, names, others, bits):
    path = str(tmp_path_factory.mktemp("lookup") / "F")
    ids = {name: number for number, name in enumerate(dict.fromkeys(names))}
    with Growing(path, new=True, bits=bits) as growing:
        growing.ids_of_names(names)
        growing.commit()
    lookup = Lookup(Inventory.open(path))
    asked = [*names, *others]
    assert lookup.ids_of(asked).tolist() == [ids.get(name, -1) for name in asked]
    assert lookup.id("not there") == -1


def test_none_of_none(tmp_path):
    with Growing(str(tmp_path / "F"), new=True) as growing:
        growing.commit()
    lookup = Lookup(Inventory.open(str(tmp_path / "F")))
    assert lookup.ids(b"", np.zeros(1, np.int64)).tolist() == []
