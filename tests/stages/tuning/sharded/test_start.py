import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory_names import NumberedNames
from campanula.formats.inventories.manifest import EMPTY
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.weights import Weights
from campanula.stages.tuning.sharded.start import Start
from campanula.stages.tuning.tune_inputs import TuneInputs
from tests.stages.tuning.sharded import files


@pytest.fixture
def paths(tmp_path):
    return files.write(tmp_path)


def start_of(paths, **given):
    settings = {"weights": paths["w0"], "inventory": paths["inv"], **given}
    inputs = TuneInputs(paths["coll"], cache=paths["cache"], **settings)
    data = inputs.shards()
    return Start.of(inputs, data.names, data.path), data


def test_text_and_stream_are_the_same_weights(paths):
    text, data = start_of(paths)
    stream, _ = start_of(paths, weights=paths["w0.stream"], inventory=None)
    assert (text.weights.theta == stream.weights.theta).all()
    weights = Weights.read(paths["w0"])
    assert text.weights.theta.tolist() == [weights[name] for name in data.names]
    assert text.origin is text.weights.theta
    assert text.kept is None


def test_theta0_may_be_a_number_or_a_file(paths, tmp_path):
    assert not start_of(paths, center=0.0)[0].origin.any()
    Weights({"f3": 2.5}).write(str(tmp_path / "center"))
    start, data = start_of(paths, center=str(tmp_path / "center"))
    assert {data.names[i]: start.origin[i] for i in np.flatnonzero(start.origin)} == {"f3": 2.5}


def test_rare_features_are_not_kept(paths):
    start, data = start_of(paths, min_count=5)
    assert (start.kept == (data.names.count >= 5)).all()
    assert 0 < start.kept.sum() < len(start.kept)


def test_names_need_the_inventory(paths):
    for given in ({"inventory": None}, {"weights": paths["w0.stream"], "inventory": None}):
        with pytest.raises(DataError, match="expected --inventory, for its names"):
            start_of(paths, min_count=2, **given)


def test_an_inventory_without_names(paths):
    given = TuneInputs(paths["coll"], paths["w0.stream"])
    with pytest.raises(DataError, match="dev: expected features to weigh, found"):
        Start.of(given, NumberedNames(InventoryReference(0, EMPTY)), "dev")
