"""Weights of a stream by the keys of features; that the search takes them is tested with decode."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.feature_names.sparse import PREFIXES
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.weight_stream import WeightStream
from campanula.stages.decoding.list_inventory import ListInventory
from campanula.stages.decoding.sparse.mapped_weights import MappedWeights
from campanula.stages.decoding.sparse.name_parsing import parsed_names, text_of
from campanula.stages.inventories.growing import Growing
from campanula.stages.kernels.sparse import weights as kernels

NAMES = ["LM0", "uni_a", "slen_2", "slen_x", "bigram_a~b", "trigger_a~~b", "trigger_b~~a", "jump_0"]


@pytest.fixture
def lists(tmp_path):
    with Growing(str(tmp_path / "F"), new=True) as growing:
        growing.ids_of_names(NAMES)
        growing.commit()
    return ListInventory(str(tmp_path / "F"), False, str(tmp_path / "cache"))


def mapped(lists, theta):
    theta = np.array(theta, np.float64)
    inventory = Inventory.open(lists.path)
    reference = inventory.reference
    if len(theta) < len(NAMES):
        reference = type(reference)(len(theta), inventory.digest(len(theta)))
    return MappedWeights.of(WeightStream(reference, theta, source="w"), lists)


def weight(keys, name):
    [key] = parsed_names(*text_of([name])).key.tolist()
    table = keys.table
    return kernels.weight_of(table.key, table.id, table.theta, key)


THETA = [0.5, 1.0, 2.0, 0.0, 3.0, 4.0, 0.0, 6.0]


def test_names_have_their_weights(lists):
    weights = mapped(lists, THETA).named(["LM0", "LM1", "jump_0"])
    assert dict(weights) == {"LM0": 0.5, "jump_0": 6.0}
    assert dict(mapped(lists, THETA[:3]).named(NAMES[:5])) == {
        "LM0": 0.5,
        "uni_a": 1.0,
        "slen_2": 2.0,
        "slen_x": 0.0,
        "bigram_a~b": 0.0,
    }


def test_templates_that_are_on_count(lists):
    keys = mapped(lists, THETA).keys(("ngram",), ())
    on = {PREFIXES[kind] for kind in np.flatnonzero(keys.table.on)}
    assert on == {"uni", "bigram"}
    assert (keys.seamed, keys.turns, len(keys.triggers)) == (True, False, 0)
    assert keys.jump.tolist() == [0.0]
    assert weight(keys, "bigram_a~b") == 3.0
    assert mapped(lists, THETA).keys(("jump",), ()).jump.tolist() == [6.0]


def test_listed_features_count_alone(lists):
    listed = ("trigger_a~~b", "trigger_b~~a", "slen_2", "uni_none", "slen_3")
    keys = mapped(lists, THETA).keys(("jump",), listed)
    assert len(keys.triggers) == 1  # the other has weight 0
    assert weight(keys, "slen_2") == 2.0
    assert weight(keys, "uni_a") == 0.0
    assert weight(keys, "jump_0") == 6.0


def test_streams_that_do_not_fit_are_refused(lists):
    with pytest.raises(DataError, match="expected --inventory"):
        MappedWeights.of(mapped(lists, THETA).stream, None)
    with pytest.raises(DataError, match="w: expected weights of at most 1e\\+200"):
        mapped(lists, [-1e201, *THETA[1:]])
    with pytest.raises(DataError, match="w: feature 'slen_x': expected a name"):
        mapped(lists, [1.0] * 8).keys(("source-length",), ())
    mapped(lists, [1.0] * 8).keys(("ngram",), ())
