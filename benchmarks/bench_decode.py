"""Sentences decoded in a second, one thread, and the mean model score that the time buys.

On Moses's German-English model and the Multi30k validation set when they are there, else on a small
random model.  Moses with pop limit 1000 has mean score -17.7044 there.
"""

from __future__ import annotations

import random
import time
from pathlib import Path
from statistics import median
from typing import Any, Unpack

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.captions import lines_of
from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.model import model as models
from campanula.formats.model.folder import read_model_folder
from campanula.formats.model.model import Model, load_model
from campanula.stages.decoding.decoder import Decoder
from campanula.stages.decoding.search_settings import SearchSettings
from campanula.stages.decoding.sparse.options import SparseWeights
from tests.examples import MOSES
from tests.present import present
from tests.small_models import SearchOptions, random_model, write_model

NO_THRESHOLD = float("inf")
BEAMS = (100, 200, 300, 400, 500, 1000)
SEARCHES: list[dict[str, Any]] = [
    *({"pop_limit": beam, "beam_threshold": NO_THRESHOLD} for beam in BEAMS),
    {"pop_limit": 500, "beam_threshold": 6.0},
    {"pop_limit": 1000, "beam_threshold": 7.0},
    {"pop_limit": 5000, "beam_threshold": NO_THRESHOLD, "stack": 1000},
]
"""Rows of the table in docs/search.md."""

WANTED: list[dict[str, Any]] = [{"k": 1}, {"k": 500}, {"k": 500, "distinct": True}]
ROUNDS = 3

# what Moses's training writes into a moses.ini, before any tuning
MOSES_WEIGHT = {"LM0": 0.5, "WordPenalty0": -1.0, "UnknownWordPenalty0": 1.0}
MOSES_WEIGHT |= {"Distortion0": 0.3, "PhrasePenalty0": 0.2}


def weight(name: str) -> float:
    """Moses's default weight of a feature."""
    return MOSES_WEIGHT.get(name, 0.2 if name.startswith("TranslationModel") else 0.3)


def task(folder: Path) -> tuple[Model, list[str]]:
    """A model and sentences to translate."""
    if MOSES.is_dir():
        return load_model(read_model_folder(str(MOSES)), str(folder)), lines_of("val.de")
    rng = random.Random(1)
    lines = [" ".join(rng.choices("abcdef", k=13)) for _ in range(200)]
    return load_model(write_model(random_model(rng, 3, True), folder), str(folder)), lines


def decode(
    model: Model,
    lines: list[str],
    sparse: SparseWeights | None = None,
    **settings: Unpack[SearchOptions],
) -> tuple[float, float]:
    """Sentences a second and mean best score, unknown word penalty aside."""
    theta = np.array([weight(name) for name in model.feature_names()])
    unknown = model.feature_names().index("UnknownWordPenalty0")
    decoder = Decoder(model, theta, SearchSettings(**settings), None, sparse)
    # the first sentences compile the kernels, before the clock runs
    list(decoder.decode_all(lines[:2]))
    start = time.perf_counter()
    lists = list(decoder.decode_all(lines))
    taken = time.perf_counter() - start
    # -100 for each word that is copied, by the table alone: it would hide what a beam is worth
    columns = [(record.score, record.features.dense[unknown, 0]) for record in lists]
    score = [scores[0] - penalty for scores, penalty in columns if scores is not None]
    return len(lines) / taken, float(np.mean(score))


@pytest.mark.benchmark(group="decode")
def test_decode(
    benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Speed against score for several beams: the best translation, 500, 500 distinct strings.

    Of ROUNDS in turn, each over all searches, the median and the range.
    """
    model, lines = task(tmp_path)
    benchmark.pedantic(decode, (model, lines), {"k": 1}, rounds=1, warmup_rounds=1)
    rows = [(search, wanted) for search in SEARCHES for wanted in WANTED]
    # in turn, so that other work on the machine does not fall on one search alone
    rounds = [
        [decode(model, lines, **search, **wanted) for search, wanted in rows] for _ in range(ROUNDS)
    ]
    with capsys.disabled():
        print(f"\ndecode, {len(lines)} sentences, one thread; sentences/s, {ROUNDS} rounds")
        print("| beam | threshold | mean score | 1-best | 500-best | 500 distinct |")
        for i, search in enumerate(SEARCHES):
            first = len(WANTED) * i
            # of round 0: the search is deterministic, so every round has these scores
            cells = [search["pop_limit"], search["beam_threshold"], f"{rounds[0][first][1]:.4f}"]
            for place in range(first, first + len(WANTED)):
                # the median: a round beside other work would pull a mean
                speed = sorted(one[place][0] for one in rounds)
                cells.append(f"{median(speed):.0f} ({speed[0]:.0f}-{speed[-1]:.0f})")
            print(f"| {' | '.join(map(str, cells))} |")


@pytest.mark.benchmark(group="decode")
def test_sparse_features(
    benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Time with sparse features relative to that without: random weights for what lists hold."""
    model, lines = task(tmp_path)
    rng = random.Random(1)
    settings: dict[str, Any] = {"k": 20}
    theta = np.array([weight(name) for name in model.feature_names()])
    # a search without weights first, for the names that the lists have: a weight of any other
    # feature would never be looked up with success
    every = SparseWeights(tuple(TEMPLATES), {})
    decoder = Decoder(model, theta, SearchSettings(**settings), None, every)
    list(decoder.decode_all(lines))
    names = list(decoder.names)[len(theta) :]
    sparse = SparseWeights(tuple(TEMPLATES), {name: rng.gauss(0.0, 0.1) for name in names})
    plain, _ = decode(model, lines, **settings)
    call = (model, lines, sparse)
    speed, _ = benchmark.pedantic(decode, call, settings, rounds=1)
    with capsys.disabled():
        print(f"\n{len(names)} sparse features: {plain / speed:.1f} times the time without")


@pytest.mark.benchmark(group="decode")
def test_load(
    benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Compiling a model against mapping it from the cache."""
    # a process keeps the models that it has loaded, and a new one has none
    models._loaded.clear()
    start = time.perf_counter()
    model, _ = task(tmp_path)
    compiled = time.perf_counter() - start

    def load() -> None:
        models._loaded.clear()
        task(tmp_path)

    benchmark.pedantic(load, rounds=3)
    size = sum(file.stat().st_size for file in tmp_path.rglob("*.npy"))
    table = model.score.nbytes + model.reordering.nbytes + model.target_word.nbytes
    table += model.kind.nbytes + model.target_start.nbytes
    mapped = present(benchmark.stats)["min"]
    with capsys.disabled():
        print(f"\nmodel: compiled in {compiled:.1f} s, mapped in {mapped:.3f} s,", end=" ")
        print(f"{size / 1e6:.0f} MB; {table / len(model.score):.0f} bytes a block")
