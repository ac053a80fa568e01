"""Names of a stream become ids of the inventory as they are read."""

import pytest

from campanula.formats.records.columns import ColumnError
from campanula.formats.records.names import Names
from campanula.stages.inventories.gathering import GatheredNames, Translation
from campanula.stages.inventories.growing import Growing


@pytest.fixture
def growing(tmp_path):
    with Growing(str(tmp_path / "F"), new=True) as growing:
        growing.ids_of_names(["a", "b"])
        yield growing


def test_ids_are_those_of_the_inventory(growing):
    names = GatheredNames(growing)
    names.extend(["x", "b"])
    names.extend(["a"])
    assert names.ids.tolist() == [2, 1, 0]
    assert (len(names), list(names), names[1], names.since(2)) == (3, ["x", "b", "a"], "b", ["a"])
    assert len(growing) == 3


@pytest.mark.parametrize("more", [["y", "x"], ["y", "y"], ["b"]])
def test_a_name_stands_once(growing, more):
    names = GatheredNames(growing)
    names.extend(["x", "b"])
    with pytest.raises(ColumnError, match=f"feature name {more[-1]!r} is declared twice"):
        names.extend(more)


def test_tables_are_translated_as_they_grow(growing):
    one, other, translation = Names(["b", "c"]), Names(["c"]), Translation(growing)
    assert translation.ids_of(one).tolist() == [1, 2]
    assert translation.ids_of(other).tolist() == [2]
    one.extend(["d"])
    assert translation.ids_of(one).tolist() == [1, 2, 3]
