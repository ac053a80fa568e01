"""Lattices: the time that writing them adds to decoding, and of k-best lists made from them.

On Moses's German-English model and sentences of the Multi30k validation set when they are there.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.bench_decode import task, weight
from benchmarks.timing import seconds
from campanula.formats.feature_names.lexical import LexicalFeature
from campanula.formats.weights import Weights
from campanula.stages.decoding.decoder import Decoder
from campanula.stages.decoding.rescorer import Rescorer, RescoreSettings
from campanula.stages.decoding.search_settings import SearchSettings
from campanula.stages.decoding.sparse.options import SparseWeights

SENTENCES = 200


@pytest.mark.benchmark(group="lattice")
def test_lattices(
    benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Ratios to decoding alone: with lattices, exact rescoring, cube pruning, sparse features."""
    model, lines = task(tmp_path)
    lines = lines[:SENTENCES]
    theta = np.array([weight(name) for name in model.feature_names()])
    decoder = Decoder(model, theta, SearchSettings())
    lattices = [lattice for _, lattice in decoder.decode_with_lattices(lines)]
    words = sorted({word for lattice in lattices[:5] for word in lattice.word})[:40]
    # bigrams go across the borders of blocks, so that no arc has their score: cube pruning
    names = [LexicalFeature("bigram", (v, w)).name for v in words for w in words]
    own = dict(zip(model.feature_names(), theta.tolist(), strict=True))
    with_bigrams = Weights(own | dict.fromkeys(names, 0.1))

    def exact() -> None:
        list(Rescorer(Weights(own), RescoreSettings()).rescore(lattices))

    def cubes() -> None:
        list(Rescorer(with_bigrams, RescoreSettings(), names).rescore(lattices))

    # these two are counted on each arc, so that rescoring stays exact
    sparse = SparseWeights(("word-pair", "orientation"), {})
    also = Decoder(model, theta, SearchSettings(), None, sparse)
    made_with = [lattice for _, lattice in also.decode_with_lattices(lines)]
    turns = Weights(own | {"orient_R": 0.1, "orient_L": -0.2})

    def counted() -> None:
        list(Rescorer(turns, RescoreSettings()).rescore(made_with))

    for work in (exact, cubes, counted):  # compiles
        work()
    alone = seconds(lambda: list(decoder.decode_all(lines)))
    both = seconds(lambda: list(decoder.decode_with_lattices(lines)))
    benchmark.pedantic(exact, rounds=3)
    arcs = np.mean([lattice.n_arcs for lattice in lattices])
    with capsys.disabled():
        print(f"\n  {arcs:.0f} arcs a sentence; times decoding with 500-best lists takes:")
        print(f"  with lattices {both / alone:.2f}")
        print(f"  exact rescoring {seconds(exact) / alone:.2f}")
        print(f"  cube pruning, node lists of 100 {seconds(cubes) / alone:.2f}")
        print(f"  exact, word pairs and orientations counted {seconds(counted) / alone:.2f}")
