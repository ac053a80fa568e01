"""The k best paths of a lattice under any weights of its own features, and what they say.

A path is given by its arcs: offset (n_paths + 1,) into arc (offset[-1],).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.records.lattice import Lattice
from campanula.formats.records.texts import Texts
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
    from campanula.stages.kernels.graph.features import Arcs
    from campanula.stages.kernels.records import Graph


def arc_scores(lattice: Lattice, weight: Floats) -> Floats:
    """What each arc's own features score (n_arcs,), under weights (n_dense,)."""
    score = np.zeros(lattice.n_arcs)
    for k, theta in enumerate(weight):
        score += theta * lattice.dense[k]
    return score


def best_paths(lattice: Lattice, local: Floats | None, k: int, distinct: bool) -> tuple[Ints, Ints]:
    """The k best paths, exactly; local (n_arcs,) is what each arc scores.

    Without it the weights are those that made the lattice; then the scores are those of the search
    to the last bit, and so are the lists, ties included.
    """
    from campanula.stages.kernels.graph import arcs as lattice_arcs
    from campanula.stages.kernels.graph import kbest as search_kbest

    score = lattice.score
    if local is not None:
        score = lattice_arcs.best_through(lattice.pointer, lattice.before, local)
    graph, info = search_graph(lattice, score)
    return search_kbest.kbest(graph, info, lattice.phrase_word, k, distinct)


def search_graph(lattice: Lattice, score: Floats) -> tuple[Graph, NDArray[np.int32]]:
    """What the k-best kernels read: the lattice as a search graph, and its phrases as options.

    Each arc is an option of its own; score (n_arcs,) of the best path that ends with each arc.
    """
    from campanula.stages.kernels.records import Graph

    n_arcs, pointer = lattice.n_arcs, lattice.pointer
    link = np.empty((n_arcs, 5), np.int32)
    link[:, NODE_BEFORE], link[:, OPTION] = lattice.before, np.arange(n_arcs)
    link[:, START], link[:, END] = lattice.start, lattice.end
    link[:, NEXT] = np.arange(n_arcs) - 1  # a node's arcs from the last to the first
    link[pointer[1:-1], NEXT] = -1
    first_arc = (pointer[1:] - 1).astype(np.int32)
    arc_value = np.zeros((n_arcs, 2))
    arc_value[:, THROUGH] = score
    info = np.zeros((n_arcs, 6), np.int32)
    info[:, LENGTH] = np.diff(lattice.phrase_pointer)[lattice.phrase]
    info[:, PLACE] = lattice.phrase_pointer[lattice.phrase]
    return Graph(np.zeros(lattice.n_nodes), first_arc, link, arc_value), info


def path_texts(lattice: Lattice, offset: Ints, arc: Ints) -> Texts:
    """What paths say (n_paths,)."""
    from campanula.stages.kernels.graph import kbest as search_kbest

    graph, info = search_graph(lattice, lattice.score)
    blob = np.frombuffer(lattice.word.blob, np.uint8)
    none = (np.zeros(0, np.uint8), np.zeros(1, np.int64))
    text, pointer = search_kbest.texts(
        offset,
        arc,
        graph.link,
        info,
        lattice.phrase_word,
        blob,
        lattice.word.pointer,
        *none,
    )
    return Texts(text.tobytes(), pointer)


def arcs_of(lattice: Lattice) -> Arcs:
    """Arcs as the kernels of lattices read them."""
    from campanula.stages.kernels.graph.features import Arcs

    return Arcs(
        lattice.pointer,
        lattice.before,
        lattice.start,
        lattice.end,
        lattice.phrase,
        lattice.phrase_pointer,
        lattice.phrase_word,
        len(lattice.word),
    )
