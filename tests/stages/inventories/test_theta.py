"""Weights by id: those of a dictionary, there and back, in parts as in one."""

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.names import Names
from campanula.formats.weight_stream import WeightStream
from campanula.formats.weights import Weights
from campanula.stages.inventories import theta
from campanula.stages.inventories.growing import Growing

NAMES = [f"name-{k * k}é" for k in range(50)]


@pytest.fixture(params=[1 << 16, 7])
def inventory(tmp_path, monkeypatch, request):
    monkeypatch.setattr(theta, "BLOCK", request.param)
    with Growing(str(tmp_path / "F"), new=True) as growing:
        growing.ids_of_names(NAMES)
        growing.commit()
    return Inventory.open(str(tmp_path / "F"))


def numbered(pairs):
    return [(k + 1, name, value) for k, (name, value) in enumerate(pairs)]


def test_there_and_back(inventory):
    rng = np.random.default_rng(3)
    weights = {NAMES[k]: float(rng.normal()) for k in rng.permutation(50)[:30]}
    found, count = theta.theta_of(numbered(weights.items()), inventory, "w")
    assert count == 30
    assert found.tolist() == [weights.get(name, 0.0) for name in NAMES]
    text = "".join(theta.lines_of(found, inventory, zeros=True))
    assert text == "".join(f"{name} {weights.get(name, 0.0)!r}\n" for name in NAMES)
    text = "".join(theta.lines_of(found, inventory, zeros=False))
    assert text == "".join(f"{name} {weights[name]!r}\n" for name in NAMES if name in weights)


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ([("none", 1.0)], r"w: line 31: feature 'none': expected a name of inventory"),
        ([(NAMES[3], 1.0)], r"w: line 31: feature 'name-9é' stands here for the second time"),
        ([(NAMES[40], 1.0)] * 2, r"w: line 32: feature 'name-1600é' stands here for the second"),
    ],
)
def test_names_at_fault(inventory, more, problem):
    pairs = numbered([*((name, 1.0) for name in NAMES[:30]), *more])
    with pytest.raises(DataError, match=problem):
        theta.theta_of(pairs, inventory, "w")


def test_without_a_line(inventory):
    with pytest.raises(DataError, match=r"^w: feature 'none'"):
        theta.theta_of([(0, "none", 1.0)], inventory, "w")


def test_text_becomes_a_stream(inventory):
    weights = Weights({NAMES[3]: 2.0, NAMES[0]: -1.0}, "w")
    found = theta.by_id(weights, inventory)
    assert isinstance(found, WeightStream)
    assert found.reference == inventory.reference
    assert np.flatnonzero(found.theta).tolist() == [0, 3]
    assert theta.by_id(found, inventory) is found
    assert theta.by_id(weights, Names(["a"])) is weights
    with pytest.raises(DataError, match=r"^w: feature 'x': expected a name of inventory"):
        theta.by_id(Weights({"x": 1.0}, "w"), inventory)
    found = theta.by_id(Weights({"x": 1.0}), inventory, allow_missing=True)
    assert isinstance(found, WeightStream)
    assert not found.theta.any()
