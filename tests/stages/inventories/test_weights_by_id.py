import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import NumberedNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.weight_stream import read_weight_stream
from campanula.formats.weights import Weights
from campanula.stages.inventories.weights_by_id import WeightsById, frequent, named_weights
from tests.stages.tuning.sharded import files


@pytest.fixture
def paths(tmp_path):
    return files.write(tmp_path)


def test_a_stream_is_written_as_a_stream(paths, tmp_path):
    names = Inventory.open(paths["inv"])
    given = WeightsById.read(paths["w0.stream"], names, "lists")
    out = str(tmp_path / "out")
    given.write(out, given.theta * 2.0, ["how", "objective:3"])
    found = read_weight_stream(out)
    assert (found.theta == 2.0 * given.theta).all()
    assert found.reference == names.reference
    assert found.signature == "how objective:3"


def test_a_text_is_written_as_a_text_without_new_zeros(paths, tmp_path):
    names = Inventory.open(paths["inv"])
    Weights({"f7": 1.0, "f5": 2.0}).write(str(tmp_path / "two"))
    given = WeightsById.read(str(tmp_path / "two"), names, "lists")
    theta = np.zeros(len(names))
    by_name = {name: i for i, name in enumerate(names)}
    assert {names[i] for i in np.flatnonzero(given.theta).tolist()} == {"f5", "f7"}
    theta[by_name["f5"]], theta[by_name["f9"]] = 0.25, -3.0
    given.write(str(tmp_path / "out"), theta, ["how"])
    found = Weights.read(str(tmp_path / "out"))
    assert dict(found) == {"f7": 0.0, "f5": 0.25, "f9": -3.0}
    assert (tmp_path / "out").read_text().startswith("# how\n")


def test_names_without_a_weight_and_weights_without_a_name_are_no_error(paths):
    names = Inventory.open(paths["inv"])
    given = Weights({"no such feature": 3.0, names[2]: 1.0, names[5]: 2.0})
    expected = np.zeros(len(names))
    expected[[2, 5]] = 1.0, 2.0
    assert named_weights(given, names, len(names)).tolist() == expected.tolist()
    assert named_weights(given, names, 5).tolist() == expected[:5].tolist()
    assert named_weights(given, None, 2).tolist() == [0.0, 0.0]
    stream = read_weight_stream(paths["w0.stream"])
    assert not named_weights(stream, names, len(names)).any()


@pytest.mark.parametrize("form", ["w0", "w0.stream"])
def test_a_weight_beyond_numbers_is_named_by_its_feature(paths, tmp_path, form):
    names = Inventory.open(paths["inv"])
    given = WeightsById.read(paths[form], names, "lists")
    theta = given.theta.copy()
    theta[3] = np.inf
    expected = f"feature '{names[3]}': expected a finite weight, found inf"
    with pytest.raises(DataError, match=expected):
        given.write(str(tmp_path / "out"), theta, ["how"])
    assert not (tmp_path / "out").exists()


def test_without_the_inventory_it_is_named_by_its_number(paths, tmp_path):
    numbered = NumberedNames(Inventory.open(paths["inv"]).reference)
    given = WeightsById.read(paths["w0.stream"], numbered, "lists")
    theta = np.where(np.arange(len(numbered)) == 3, -np.inf, given.theta)
    with pytest.raises(DataError, match="out: feature #3: expected a finite weight, found -inf"):
        given.write(str(tmp_path / "out"), theta, ["how"])


def test_what_no_feature_has_is_refused_by_name(paths, tmp_path):
    Weights({"f7": 1.0, "nobody": 2.0}).write(str(tmp_path / "w"))
    with pytest.raises(DataError, match=r"feature 'nobody': unknown feature: .*inv has none"):
        WeightsById.read(str(tmp_path / "w"), Inventory.open(paths["inv"]), "lists")


def test_a_stream_of_another_inventory_is_refused(paths):
    other = NumberedNames(InventoryReference(500, "0" * 32))
    with pytest.raises(
        DataError, match=r"w0\.stream: is against inventory .* of 500 names, the lists"
    ):
        WeightsById.read(paths["w0.stream"], other, "lists")
    with pytest.raises(DataError, match="expected --inventory, for its names"):
        frequent(other, 2, "lists")
