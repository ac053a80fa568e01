"""Lattices of searches, and of an empty sentence."""

import pytest

from tests.lattices import searched
from tests.naive import lattice as naive
from tests.present import present


@pytest.mark.parametrize("order", [0, 2])
def test_an_empty_sentence_has_one_arc(order, tmp_path):
    _, [kbest], [lattice] = searched(1, tmp_path, order, lines=("",))
    assert (lattice.n_nodes, lattice.n_arcs, len(lattice.source)) == (2, 1, 0)
    assert lattice.phrase_text(0) == ""
    assert lattice.dense[:, 0].tolist() == kbest.features.dense[:, 0].tolist()
    assert lattice.score.tolist() == present(kbest.score).tolist()


def test_every_path_covers_the_source_once(tmp_path):
    _, [kbest], [lattice] = searched(3, tmp_path, lines=("a ä c",), k=10**6)
    assert list(lattice.source) == ["a", "ä", "c"]
    assert "ä" in list(lattice.word)
    found = list(naive.paths(lattice))
    for path in found:
        spans = [range(lattice.start[arc], lattice.end[arc]) for arc in path]
        assert sorted(i for span in spans for i in span) == [0, 1, 2]
    assert len(found) == len(kbest)
    assert max(lattice.score[lattice.pointer[-2] :]) == pytest.approx(present(kbest.score)[0])
