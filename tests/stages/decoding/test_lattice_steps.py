"""Steps of paths: blocks keep their numbers over lattices, and say their words."""

from itertools import pairwise

from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.records.names import Names
from campanula.stages.decoding.lattice_steps import LatticeSteps
from campanula.stages.decoding.sparse_counts import SparseCounts
from tests.lattices import paths_of, random_lattice
from tests.naive import lattice as naive
from tests.naive import sparse as naive_sparse


def test_steps_say_what_the_arcs_say():
    store, numbers = LatticeSteps(), {}
    for seed in range(4):
        lattice = random_lattice(seed, words=("u", "v" * seed + "w", "x", "~%"))
        every = list(naive.paths(lattice))
        steps = store.steps(lattice, paths_of(every))
        assert steps.hyp.tolist() == [h for h, path in enumerate(every) for _ in path]
        expected = [step for path in every for step in naive.steps(lattice, path)]
        for k, (start, end, target) in enumerate(expected):
            assert (steps.start[k], steps.end[k]) == (start, end)
            block = (tuple(lattice.source)[start:end], target)
            option = int(steps.option[k])
            assert store.phrases(option) == block
            assert numbers.setdefault(block, option) == option
            _, length, place = steps.info[option].tolist()
            assert tuple(map(store.text, steps.word[place : place + length])) == target


def test_counts_of_paths():
    lattice, store, names = random_lattice(5), LatticeSteps(), Names()
    every = list(naive.paths(lattice))
    counts = SparseCounts(tuple(TEMPLATES), names, store.phrases, store.text)
    steps = store.steps(lattice, paths_of(every))
    pointer, ids, value = counts.count(steps, len(every))
    for (a, b), path in zip(pairwise(pointer.tolist()), every, strict=True):
        found = dict(zip((names[i] for i in ids[a:b]), value[a:b].tolist(), strict=True))
        source = list(lattice.source)
        assert found == naive_sparse.features(source, naive.steps(lattice, path), list(TEMPLATES))
