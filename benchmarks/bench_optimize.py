"""Hypotheses scored in a second by the solvers, beside plain numpy and beside memory itself.

Lists of 1,000 sentences with 500 hypotheses and 14 dense features, as a decoder writes them; one
thread.  Each line of output compares ways of doing the same work in the same run.
"""

from __future__ import annotations

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.timing import seconds
from campanula.formats.arrays.types import Floats
from campanula.formats.records.features import Features
from campanula.formats.records.names import Names
from campanula.stages.tuning.chunks import Chunk
from campanula.stages.tuning.losses import LOSSES
from campanula.stages.tuning.objective import Objective
from campanula.stages.tuning.packing import join
from campanula.stages.tuning.restraints import Restraints
from campanula.stages.tuning.solvers.rprop import RpropSettings, rprop
from campanula.stages.tuning.solvers.ssd import SsdSettings, ssd
from campanula.stages.tuning.tuning_set import TuningSet

N_LISTS, SIZE, N_FEATURES = 1000, 500, 14
EPOCHS, ITERATIONS = 50, 50


def made_up(loss: str) -> tuple[Objective, Floats]:
    """An objective over random lists, with its concave part imputed, and weights."""
    rng = np.random.default_rng(1)
    ids = np.arange(N_FEATURES, dtype=np.int32)
    blocks = [rng.normal(size=(N_FEATURES, SIZE)) for _ in range(N_LISTS)]
    gain = rng.random(N_LISTS * SIZE)
    lists = join([Features.of_dense(ids, block) for block in blocks])
    chunk = Chunk(0, np.arange(N_LISTS), lists, gain, np.zeros(len(gain), np.bool_), None)
    size, names = np.full(N_LISTS, SIZE), Names(f"f{i}" for i in ids)
    data = TuningSet(np.arange(N_LISTS), size, names, "made up", "", None, chunk)
    free = np.full(N_FEATURES, np.inf)
    limits = Restraints(np.ones(N_FEATURES), -free, free)
    theta = rng.normal(size=N_FEATURES)
    objective = Objective(data, LOSSES[loss], 10.0, theta.copy(), 1.0, 0.0, limits).prepared()
    return (objective.impute(theta) if objective.loss.has_terms else objective), theta


def numpy_rampion(objective: Objective, theta: Floats, epochs: int) -> Floats:
    """Lines 8-14 of Algorithm 1, a matrix product and an argmax per sentence."""
    blocks = objective.whole().lists.dense.reshape(N_LISTS, N_FEATURES, SIZE)
    cost = objective.whole().targets.cost.reshape(N_LISTS, SIZE)
    hope = objective.whole().share.reshape(N_LISTS, SIZE).argmax(axis=1)
    center, theta = objective.center, theta.copy()
    for _ in range(epochs):
        for block, c, h in zip(blocks, cost, hope, strict=True):
            fear = (theta @ block + c).argmax()
            # 1e-4 is the default eta of SSD, and regularisation has its share at every list
            theta -= 1e-4 * objective.C / N_LISTS * (theta - center)
            theta += 1e-4 * (block[:, h] - block[:, fear])
    return theta


def numpy_gradient(objective: Objective, theta: Floats) -> Floats:
    """Gradient of -log of the expected gain, over all lists at once."""
    blocks = objective.whole().lists.dense.reshape(N_LISTS, N_FEATURES, SIZE)
    gain = objective.whole().targets.gain.reshape(N_LISTS, SIZE)
    s = np.einsum("f,ifj->ij", theta, blocks)
    p = np.exp(s - s.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    expected = (p * gain).sum(axis=1, keepdims=True)
    return np.einsum("ifj,ij->f", blocks, -p * (gain - expected)) / expected.sum()


@pytest.mark.benchmark(group="optimize")
def test_rampion(benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str]) -> None:
    """50 passes of SSD: hypotheses scored a second, against numpy and against reading memory."""
    objective, theta = made_up("ramp3")
    settings, work = SsdSettings(epochs=EPOCHS), EPOCHS * N_LISTS * SIZE
    benchmark.pedantic(ssd, (objective, theta, settings), rounds=3, warmup_rounds=1)
    ours = seconds(lambda: ssd(objective, theta, settings))
    plain = seconds(lambda: numpy_rampion(objective, theta, 2), 1) * EPOCHS / 2
    memory = seconds(objective.whole().lists.dense.sum) * EPOCHS
    with capsys.disabled():
        print(f"\nRAMPION, {EPOCHS} passes: {work / ours / 1e6:.0f} million hypotheses/s;", end=" ")
        print(f"{plain / ours:.1f} x numpy; {ours / memory:.1f} x the time to sum the features")


@pytest.mark.benchmark(group="optimize")
def test_expected_bleu(benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str]) -> None:
    """50 iterations of RPROP: feature values visited a second, against numpy."""
    objective, theta = made_up("expected-bleu")
    settings, work = (
        RpropSettings(iterations=ITERATIONS),
        ITERATIONS * objective.whole().lists.n_entries,
    )
    benchmark.pedantic(rprop, (objective, theta, settings), rounds=3, warmup_rounds=1)
    ours = seconds(lambda: rprop(objective, theta, settings))
    plain = seconds(lambda: numpy_gradient(objective, theta)) * ITERATIONS
    with capsys.disabled():
        print(f"\nexpected BLEU, RPROP: {work / ours / 1e6:.0f} million feature visits/s;", end=" ")
        print(f"{plain / ours:.1f} x numpy")
