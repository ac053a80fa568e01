import numpy as np
import pytest

from campanula.stages.tuning.losses import LOSSES
from campanula.stages.tuning.restraints import Restraints
from campanula.stages.tuning.sharded import folding
from campanula.stages.tuning.sharded.folding import folded
from campanula.stages.tuning.sharded.loading import Loader
from campanula.stages.tuning.sharded.sharded_objective import ShardedObjective
from tests.stages.tuning.sharded import files
from tests.stages.tuning.sharded.shards import random_lists, sharded


def carried(n_dense=3, n_lists=9, cuts=(4, 5)):
    """Shards of lists with the same dense features, theta, and where these are not free."""
    rng = np.random.default_rng(2)
    lists = random_lists(4, n_lists)
    names = lists[0].names
    dense = np.arange(n_dense, dtype=np.int32)
    records = []
    for kbest in lists:
        kept = np.ones(len(names), np.bool_)
        kept[dense] = False
        kept[kbest.features.dense_id] = False
        rest = kbest.features.only(kept)
        values = rng.normal(size=(n_dense, len(kbest)))
        features = type(rest)(dense, values, *(getattr(rest, f) for f in FIELDS))
        records.append(type(kbest)(kbest.sid, kbest.text, features, names, gain=kbest.gain))
    free = np.ones(len(names))
    free[dense] = 0.0
    return sharded(records, cuts), rng.normal(size=len(names)), free


FIELDS = ("sparse_pointer", "sparse_id", "sparse_value", "binary_pointer", "binary_id")


def objective(data, free, theta):
    limits = Restraints(free, np.full(len(free), -np.inf), np.full(len(free), np.inf))
    loss = LOSSES["expected-bleu"]
    return ShardedObjective(data, loss, 3.0, np.zeros(len(theta)), 0.2, 0.0, limits).prepared()


def test_value_and_gradient_are_the_same_to_the_last_bit():
    data, theta, free = carried()
    whole = objective(data, free, theta)
    parts = whole.folded(theta)
    assert [len(s.lists.dense) for s in parts.data.shards] == [s.lists.n_hyps for s in data.shards]
    other = theta + 0.1 * free
    for weights in (theta, other):
        assert parts.value(weights) == whole.value(weights)
        value, slope = whole.value_and_gradient(weights)
        found, gradient = parts.value_and_gradient(weights)
        assert found == value
        assert np.array_equal(gradient, slope)  # but for the sign of a 0 that stays
        assert np.count_nonzero(gradient)


@pytest.mark.parametrize("case", ["free", "one", "too many", "elsewhere", "different", "terms"])
def test_what_gains_nothing_or_may_move_stays_as_it_is(monkeypatch, case):
    data, theta, free = carried(n_dense=1 if case == "one" else 3)
    if case == "free":
        free[1] = 1.0
    if case == "too many":
        monkeypatch.setattr(folding, "MOST", 8)
    if case == "elsewhere":
        data = type(data)(data.shards, data.names, "test", "", passes=object())
    if case == "different":
        data = sharded(random_lists(4, 9), (4,))
        free[:] = 0.0
    if case == "terms":
        loss = LOSSES["ramp3"]
        limits = Restraints.of(data.names)
        ramp = ShardedObjective(data, loss, 3.0, theta, 0.2, 0.0, limits)
        assert ramp.folded(theta) is ramp
    else:
        assert folded(data, theta, free) is data


def test_shards_that_are_mapped_are_folded_as_well(tmp_path):
    paths = files.write(tmp_path)
    data = Loader(paths["cache"]).load(paths["coll"])
    before = [np.array(shard.lists.dense) for shard in data.shards]
    folded(data, np.ones(len(data.names)), np.zeros(len(data.names)))
    for shard, dense in zip(data.shards, before, strict=True):
        folding._release(shard.lists.dense)
        assert np.array_equal(shard.lists.dense, dense)
