"""Sparse features along arcs: what is an arc's own, and when paths must be looked at."""

import numpy as np
import pytest

from campanula.stages.decoding.sparse.arcs import SparseArcs
from campanula.stages.decoding.sparse.keys import SparseKeys
from tests.lattices import random_lattice
from tests.naive import lattice as naive
from tests.naive import sparse as naive_sparse


def arcs_of(weights):
    return SparseArcs(SparseKeys.of_names([*weights], np.array([*weights.values()])))


@pytest.mark.parametrize("seed", range(4))
def test_local_features_score_their_arcs(seed):
    weights = {"pair_a~~u": 1.0, "uni_v": 10.0, "tlen_2": 100.0, "bi_v~u": 1e3, "slen_0": 1e4}
    lattice = random_lattice(seed)
    found = arcs_of(weights).scores(lattice)
    templates = ["word-pair", "unigram", "target-length", "bigram", "source-length"]
    for arc in range(lattice.n_arcs):
        counts = naive_sparse.features(list(lattice.source), naive.steps(lattice, [arc]), templates)
        expected = sum(weights.get(name, 0.0) * n for name, n in counts.items())
        assert found.local[arc] == pytest.approx(expected)
    assert not found.beyond
    assert not found.varies.any()


@pytest.mark.parametrize(
    ("name", "beyond"),
    [
        ("bigram_u~v", True),
        ("bigram_u~z", False),
        ("trigram_w~x~u", True),
        ("trigger_u~~u", True),
        ("trigger_z~~u", False),
        ("bound_x~~w", True),
        ("tph_z~~u", False),
        ("sph_a~b~~a", None),
        ("sph_b~a~~c", False),
        ("back_R_z~~u", False),
    ],
)
def test_only_what_the_lattice_has_needs_paths(name, beyond):
    lattice = random_lattice(1)
    found = arcs_of({name: 1.0}).scores(lattice)
    if beyond is None:  # as its spans have it
        spans = set(zip(lattice.start.tolist(), lattice.end.tolist(), strict=True))
        beyond = (0, 2) in spans and bool({(0, 1), (2, 3)} & spans)
    assert found.beyond == beyond


def test_jumps_are_the_arcs_where_nodes_know_the_end():
    lattice = random_lattice(2, 3)
    same = np.zeros_like(lattice.end)
    object.__setattr__(lattice, "start", same)
    object.__setattr__(lattice, "end", same + 1)
    found = arcs_of({"jump_-1": 2.0, "jump_0": 5.0}).scores(lattice)
    assert not found.beyond
    assert found.local.tolist() == [5.0 if u == 0 else 2.0 for u in lattice.before.tolist()]
