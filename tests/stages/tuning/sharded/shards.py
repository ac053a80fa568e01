"""Random scored lists with dense, sparse and binary features, in memory and by the shard."""

import itertools

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages.tuning.losses import LOSSES
from campanula.stages.tuning.objective import Objective
from campanula.stages.tuning.restraints import Restraints
from campanula.stages.tuning.sharded.packing import pack
from campanula.stages.tuning.sharded.sharded_objective import ShardedObjective
from campanula.stages.tuning.sharded.sharded_set import ShardedSet
from campanula.stages.tuning.sharded.store import PackedShard
from campanula.stages.tuning.tuning_set import TuningSet

WORDS = ["a", "b", "c"]


def goals(n_lists: int) -> References:
    """References that a third of the texts reach."""
    return References.of(["a"] * n_lists)


def random_lists(seed, n_lists, n_features=2000, widest=400):
    """Lists of 1 to 9 hypotheses; some have more than 256 different features."""
    rng = np.random.default_rng(seed)
    names = Names(f"f{k}" for k in range(n_features))
    return [_random_list(rng, sid, names, n_features, widest) for sid in range(n_lists)]


def _random_list(rng, sid, names, n_features, widest):
    size = int(rng.integers(1, 10))
    pool = rng.choice(n_features, int(rng.integers(3, widest)), replace=False)
    rows = [np.sort(rng.permutation(pool)[: rng.integers(0, len(pool))]) for _ in range(size)]
    common = pool[:2]
    rows = [np.setdiff1d(row, common) for row in rows]
    features = Features.of_dense(common.astype(np.int32), rng.normal(size=(2, size)))
    if rng.random() < 0.3:
        features.dense[1] = 0.5  # the same all over the list
    ids = np.concatenate([*rows, np.zeros(0, int)]).astype(np.int32)
    value = np.where(rng.random(len(ids)) < 0.1, rng.normal(size=len(ids)), 1.0)
    features = features.with_sparse(pointer_of([len(row) for row in rows]), ids, value)
    text = Texts.of(rng.choice(WORDS, size).tolist())
    return KBest(sid, text, features, names, gain=rng.random(size))


def sharded(lists, cuts, references=None):
    """The lists in shards that begin at the cuts."""
    bounds = [0, *cuts, len(lists)]
    parts = [lists[a:b] for a, b in itertools.pairwise(bounds)]
    shards = [
        PackedShard.of(f"shard {n}", pack(part, "test", references)) for n, part in enumerate(parts)
    ]
    return ShardedSet(shards, lists[0].names, "test", "", references)


def both(name, seed=5, cuts=(4, 5, 11), n_lists=17, C=0.7, jobs=1):
    """The objective in memory and by the shard, and weights to start from."""
    lists = random_lists(seed, n_lists)
    loss, n = LOSSES[name], len(lists[0].names)
    references = goals(n_lists) if loss.needs_references else None
    rng = np.random.default_rng(seed)
    theta, center = rng.normal(size=n), rng.normal(size=n)
    limits = Restraints.of(lists[0].names)
    whole = Objective(TuningSet.of(lists, references), loss, 3.0, center, C, 0.0, limits).prepared()
    data = sharded(lists, cuts, references)
    parts = ShardedObjective(data, loss, 3.0, center, C, 0.0, limits, jobs=jobs).prepared()
    return whole, parts, theta
