"""Steps of paths: what their arcs say, and the features that fire in them."""

from itertools import pairwise

import numpy as np

from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.records.names import Names
from campanula.stages.decoding.lattice_steps import lattice_steps
from campanula.stages.decoding.sparse.counts import SparseCounts
from campanula.stages.decoding.sparse.feature_ids import NamedFeatures
from campanula.stages.decoding.sparse.keys import SparseKeys
from tests.lattices import paths_of, random_lattice
from tests.naive import lattice as naive
from tests.naive import sparse as naive_sparse

NOTHING = SparseKeys.of_names([], np.zeros(0))
NO_LISTED = (np.zeros(0, np.int64), np.zeros(0, np.int64))


def test_steps_say_what_the_arcs_say():
    for seed in range(4):
        lattice = random_lattice(seed, words=("u", "v" * seed + "w", "x", "~%"))
        every = list(naive.paths(lattice))
        spelled = lattice_steps(lattice, paths_of(every), NOTHING)
        steps = spelled.steps
        assert steps.hyp.tolist() == [h for h, path in enumerate(every) for _ in path]
        expected = [step for path in every for step in naive.steps(lattice, path)]
        for k, (start, end, target, *_) in enumerate(expected):
            assert (steps.start[k], steps.end[k]) == (start, end)
            _, length, place, *_ = steps.info[int(steps.option[k])].tolist()
            words = list(lattice.word)
            assert tuple(words[w] for w in steps.word[place : place + length]) == target


def test_counts_of_paths():
    lattice, names = random_lattice(5), Names()
    every = list(naive.paths(lattice))
    counts = SparseCounts(tuple(TEMPLATES), NOTHING, NamedFeatures(names))
    fired = counts.fire(lattice_steps(lattice, paths_of(every), NOTHING), NO_LISTED)
    pointer, ids, value, _ = counts.count(fired, len(every))
    for (a, b), path in zip(pairwise(pointer.tolist()), every, strict=True):
        found = dict(zip((names[i] for i in ids[a:b]), value[a:b].tolist(), strict=True))
        source = list(lattice.source)
        assert found == naive_sparse.features(source, naive.steps(lattice, path), list(TEMPLATES))
