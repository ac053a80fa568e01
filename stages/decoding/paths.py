"""The k best paths of a lattice under any weights of its own features, and their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.types import Floats, Ids
from campanula.formats.records.lattice import Lattice
from campanula.formats.records.texts import Texts
from campanula.stages.decoding.option_texts import OptionTexts
from campanula.stages.kernels.records import (
    END,
    LENGTH,
    NEXT,
    NODE_BEFORE,
    OPTION,
    PLACE,
    START,
    THROUGH,
)

if TYPE_CHECKING:
    from campanula.stages.kernels.graph.arcs import LatticeArcs
    from campanula.stages.kernels.graph.paths import Paths
    from campanula.stages.kernels.records import Graph


def dense_scores(dense: Floats, weight: Floats) -> Floats:
    """Return the scores (n,) of dense features (n_dense, n)."""
    score = np.zeros(dense.shape[1])
    # feature by feature: the order of additions, and so the last bit, is that of a list's scores
    for k, theta in enumerate(weight):
        score += theta * dense[k]
    return score


def best_paths(lattice: Lattice, local: Floats | None, k: int, distinct: bool) -> Paths:
    """Return the k best paths, exactly; local (n_arcs,): score of each arc.

    local None: the weights are those that made the lattice.  Then scores and lists are those of the
    search to the last bit, ties included.
    """
    from campanula.stages.kernels.graph import kbest
    from campanula.stages.kernels.graph.arcs import best_through

    score = lattice.score
    if local is not None:
        score = best_through(lattice.pointer, lattice.before, local)
    graph, info = search_graph(lattice, score)
    return kbest.kbest(graph, info, lattice.phrase_word, k, distinct)


def search_graph(lattice: Lattice, score: Floats) -> tuple[Graph, Ids]:
    """Return the lattice as a search graph, and its arcs as options, for the k-best kernels.

    Each arc is an option; score (n_arcs,): of the best path that ends with each arc.
    """
    from campanula.stages.kernels.records import Graph

    n_arcs = lattice.n_arcs
    pointer = lattice.pointer
    link = np.empty((n_arcs, 5), np.int32)
    link[:, NODE_BEFORE] = lattice.before
    link[:, OPTION] = np.arange(n_arcs)
    link[:, START] = lattice.start
    link[:, END] = lattice.end
    link[:, NEXT] = np.arange(n_arcs) - 1  # a node's arcs from the last to the first
    link[pointer[1:-1], NEXT] = -1
    first_arc = (pointer[1:] - 1).astype(np.int32)
    arc_value = np.zeros((n_arcs, 2))
    arc_value[:, THROUGH] = score
    info = np.zeros((n_arcs, 6), np.int32)
    info[:, LENGTH] = np.diff(lattice.phrase_pointer)[lattice.phrase]
    info[:, PLACE] = lattice.phrase_pointer[lattice.phrase]
    return Graph(np.zeros(lattice.n_nodes), first_arc, link, arc_value), info


def path_texts(lattice: Lattice, paths: Paths) -> Texts:
    """Return the texts of paths (n_paths,)."""
    graph, info = search_graph(lattice, lattice.score)
    return OptionTexts.of_lattice(lattice, info).path_texts(paths, graph.link)


def arcs_of(lattice: Lattice) -> LatticeArcs:
    """Return the lattice's arcs as the kernels read them."""
    from campanula.stages.kernels.graph.arcs import LatticeArcs

    return LatticeArcs(
        lattice.pointer,
        lattice.before,
        lattice.start,
        lattice.end,
        lattice.phrase,
        lattice.phrase_pointer,
        lattice.phrase_word,
        len(lattice.word),
    )
