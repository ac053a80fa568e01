"""Random lists as a stream with names, against an inventory, and as collections; weights of all."""

import numpy as np

from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Writer
from campanula.formats.weights import Weights
from campanula.stages import import_weights, index_features
from tests.stages.tuning.sharded.shards import random_lists


def write(folder, seed=7, n_lists=20, shards=3, n_features=500):
    """Write dev.kbest and w0 with names, inv, one.kbest, coll and w0.stream against inv."""
    lists = random_lists(seed, n_lists, n_features=n_features, widest=300)
    paths = {name: str(folder / name) for name in ("dev.kbest", "w0", "inv", "one.kbest", "coll")}
    with Writer(paths["dev.kbest"], KBest, "test") as out:
        for kbest in lists:
            out.write(kbest)
    names = list(lists[0].names)
    theta = np.random.default_rng(seed).normal(size=len(names))
    Weights.of(names, theta).write(paths["w0"])
    inventory = ["--inventory", paths["inv"], "-q"]
    assert index_features.main([paths["dev.kbest"], *inventory, "-o", paths["one.kbest"]]) == 0
    extend = ["--extend", paths["inv"], "--shards", str(shards), "-q"]
    assert index_features.main([paths["dev.kbest"], *extend, "-o", paths["coll"]]) == 0
    stream = str(folder / "w0.stream")
    assert import_weights.main([paths["w0"], *inventory, "-o", stream]) == 0
    return {**paths, "w0.stream": stream, "cache": str(folder / "cache")}
