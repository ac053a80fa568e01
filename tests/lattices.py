"""Small lattices for tests: random ones, and those of small models' searches."""

import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Unpack

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.feature_names.lexical import LexicalFeature
from campanula.formats.records.kbest import KBest
from campanula.formats.records.lattice import Lattice
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Writer
from campanula.stages.decoding.sparse.options import SparseWeights
from campanula.stages.kernels.graph.paths import Paths
from tests.naive.decoder import NaiveModel
from tests.small_models import SOURCE, TARGET, PruningOptions, random_model, small_decoder


def random_lattice(
    seed: int,
    n_nodes: int = 5,
    words: Sequence[str] = ("u", "v", "w", "x"),
    sid: int = 0,
    names: Names | None = None,
) -> Lattice:
    """A lattice with arcs between random nodes; not what a search leaves, but of its form."""
    rng = np.random.default_rng(seed)
    names = Names(["LM0", "WordPenalty0"]) if names is None else names
    arcs = []
    for v in range(1, n_nodes):
        earlier = {v - 1} | {int(u) for u in rng.integers(0, v, 2)}
        arcs.append([u for u in sorted(earlier) for _ in range(rng.integers(1, 3))])
    before = np.array([u for into in arcs for u in into], np.int32)
    n, length = len(before), rng.integers(0, 4, 6)
    start = rng.integers(0, 3, n).astype(np.int32)
    weight, dense = np.array([0.5, -0.25]), rng.integers(-4, 4, (2, n)) / 4.0
    lattice = Lattice(
        sid,
        Texts.of(["a", "b", "a"]),
        Texts.of(words),
        np.concatenate([[0], np.cumsum(length)]),
        rng.integers(0, len(words), length.sum()).astype(np.int32),
        np.concatenate([[0, 0], np.cumsum([len(into) for into in arcs])]),
        before,
        start,
        np.minimum(start + rng.integers(0, 3, n), 3).astype(np.int32),
        rng.integers(0, 6, n).astype(np.int32),
        np.array([0, 1], np.int32),
        dense,
        np.zeros(n),
        weight,
        names,
    )
    best = np.zeros(n_nodes)
    for v in range(1, n_nodes):
        into = slice(lattice.pointer[v], lattice.pointer[v + 1])
        lattice.score[into] = best[before[into]] + weight @ dense[:, into]
        best[v] = lattice.score[into].max()
    return lattice


def paths_of(every: Sequence[Sequence[int]]) -> Paths:
    """Paths given as lists of their arcs."""
    return Paths(pointer_of(list(map(len, every))), np.concatenate(every))


def random_features(seed: int, share: float = 0.5) -> list[LexicalFeature]:
    """Some lexical features over the small models' words."""
    rng = random.Random(seed)
    source, target = SOURCE, TARGET
    every: list[tuple[str, tuple[str, ...]]] = [("uni", (w,)) for w in target]
    every += [(t, (v, w)) for t in ("bigram", "trigger") for v in target for w in target]
    every += [("trigram", (u, v, w)) for u in target for v in target for w in target]
    every += [("pair", (f, e)) for f in source for e in target]
    return [LexicalFeature(*feature) for feature in every if rng.random() < share]


def searched(
    seed: int,
    folder: Path,
    order: int = 2,
    lexical: bool | tuple[str, ...] = True,
    lines: Sequence[str] = ("a b c", "", "d b a"),
    k: int = 500,
    make: Callable[[random.Random, int, bool | tuple[str, ...]], NaiveModel] = random_model,
    reordering: str = "distance",
    sparse: SparseWeights | None = None,
    **settings: Unpack[PruningOptions],
) -> tuple[dict[str, float], list[KBest], list[Lattice]]:
    """Weights of a small model, and the lists and lattices of sentences that it decodes."""
    model = make(random.Random(seed), order, lexical)
    model.reordering = reordering
    decoder = small_decoder(model, folder, sparse, k=k, **settings)
    found = list(decoder.decode_with_lattices(lines))
    weights = {name: model.weights[name] for name in model.features_on}
    return weights, [kbest for kbest, _ in found], [lattice for _, lattice in found]


def write_lattices(path: Path | str, lattices: Iterable[Lattice]) -> str:
    """Write a lattice stream; returns the path as text."""
    with Writer(str(path), Lattice, "test") as out:
        for lattice in lattices:
            out.write(lattice)
    return str(path)


def best_score(lattice: Lattice) -> float:
    """Score of the best path, by the dense features of the lattice and its weights."""
    local = lattice.weight @ lattice.dense
    best = np.full(lattice.n_nodes, -np.inf)
    best[0] = 0.0
    for v in range(1, lattice.n_nodes):
        for a in range(lattice.pointer[v], lattice.pointer[v + 1]):
            best[v] = max(best[v], best[lattice.before[a]] + local[a])
    return float(best[-1])
