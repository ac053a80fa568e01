"""Line search and batch MIRA on real lists: Moses's four runs of 100-best lists, merged.

Moses's own `mert` takes 48 s for 20 restarts on these (BLEU 0.41292), and `kbmira` 0.55 s for 60
epochs with reading its text files (0.4053).  One thread; the lists are in memory.  Each line of
output compares with plain numpy doing the same work in the same run.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.timing import seconds
from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.weights import Weights
from campanula.stages import import_nbest, import_weights, merge_kbest, score_bleu
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.tuning.losses import LOSSES
from campanula.stages.tuning.objective import Objective
from campanula.stages.tuning.restraints import Restraints
from campanula.stages.tuning.solvers.batch_mira import BATCH_MIRA
from campanula.stages.tuning.solvers.climb_point import ClimbPoint, SearchSpace
from campanula.stages.tuning.solvers.line_search import ENOUGH, LINE_SEARCH, LineSearchSettings
from campanula.stages.tuning.solvers.solver import Solution
from campanula.stages.tuning.tuning_set import TuningSet
from tests.examples import MOSES, MULTI30K


class Data(NamedTuple):
    """The corpus BLEU of the merged lists; theta (n_features,), Moses's default weights."""

    objective: Objective
    theta: Floats

    @property
    def lists(self) -> Lists:
        return self.objective.data.whole.lists

    @property
    def stats(self) -> Ints:
        return self.objective.statistics()[1]


@pytest.fixture(scope="module")
def stream(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The merged lists as a scored stream."""
    if not MOSES.exists():
        pytest.skip("the shared data is not there")
    folder = tmp_path_factory.mktemp("lists")
    runs = [str(folder / f"run{n}") for n in range(1, 5)]
    for n, run in enumerate(runs, 1):
        import_nbest.main([str(MOSES / f"run{n}.best100.gz"), "-q", "-o", run])
    merged, scored = str(folder / "merged"), str(folder / "scored")
    merge_kbest.main([*runs, "-q", "-o", merged])
    score_bleu.main([merged, "--ref", str(MULTI30K / "val.en"), "-q", "-o", scored])
    import_weights.main([str(MOSES / "run1.weights.ini"), "-q", "-o", str(folder / "weights")])
    return scored


@pytest.fixture(scope="module")
def data(stream: str) -> Data:
    """The merged lists as they are tuned."""
    lists = TuningSet.read(stream)
    theta = Weights.read(str(Path(stream).with_name("weights"))).vector(lists.names)
    limits = Restraints.of(lists.names)
    # C and L1 are 0: corpus BLEU alone, without regularisation
    objective = Objective(lists, LOSSES["cost"], 10.0, theta, 0.0, 0.0, limits).prepared()
    return Data(objective, theta)


def whole_process(stream: str, solver: str) -> float:
    """Wall time of `optimize` from Moses's defaults, process start and reading included."""
    weights = Path(stream).with_name("weights")
    optimize = str(Path(sys.executable).parent / "optimize")
    command = [optimize, stream, "--solver", solver, "-q", "--allow-missing"]
    command += ["--weights", str(weights), "-o", str(weights.with_name("tuned"))]
    return seconds(lambda: subprocess.run(command, check=True))


def numpy_envelopes(data: Data) -> int:
    """Corners of the envelopes of all lists and axes, from left to right as Moses's mert."""
    corners = 0
    lists, theta = data.lists, data.theta
    for i in range(lists.n_lists):
        size = int(lists.list_pointer[i + 1] - lists.list_pointer[i])
        start = lists.dense_start[i]
        columns = lists.dense[start : start + len(theta) * size].reshape(len(theta), size)
        score = theta @ columns
        for slope in columns:
            # far to the left the least slope is on top, and of equal ones the highest score
            line = np.lexsort((-score, slope))[0]
            # from corner to corner, to the line that first rises above the one before
            while (steeper := np.flatnonzero(slope > slope[line])).size:
                x = (score[line] - score[steeper]) / (slope[steeper] - slope[line])
                first = steeper[x == x.min()]
                # of several that cross in one point, the steepest is on top beyond it
                line = first[slope[first].argmax()]
                corners += 1
    return corners


def numpy_epoch(data: Data) -> float:
    """The parts of one epoch that take time: scores twice, and BLEU with a background."""
    found = 0.0
    lists, theta = data.lists, data.theta
    # MIRA's moves from list to list; here the operations count, and not what they find
    background = np.ones(10)
    for i in range(lists.n_lists):
        first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
        start = lists.dense_start[i]
        columns = lists.dense[start : start + len(theta) * (last - first)].reshape(len(theta), -1)
        score = theta @ columns
        # lengths of hypothesis and reference, then matches and totals of 1 to 4 words
        total = data.stats[first:last] + background
        bleu = np.exp(np.log(total[:, 2:6] / total[:, 6:]).mean(axis=1))
        # times the reference's length, as in kbmira (Chiang et al. 2008)
        bleu *= np.exp(np.minimum(0.0, 1.0 - total[:, 1] / total[:, 0])) * total[:, 1]
        hope, fear = (score + bleu).argmax(), (score - bleu).argmax()
        found += bleu[hope] - bleu[fear] + (theta @ columns).argmax()
    return found


@pytest.mark.benchmark(group="line search")
def test_line_search(
    benchmark: BenchmarkFixture, data: Data, capsys: pytest.CaptureFixture[str]
) -> None:
    """20 restarts; one search of all axes against numpy's envelopes alone."""
    settings = LineSearchSettings(restarts=20)

    def work() -> Solution:
        return LINE_SEARCH.solve(data.objective, data.theta, settings)

    found = benchmark.pedantic(work, rounds=1, warmup_rounds=1)
    ours = seconds(work, 2)
    lists, stats, metric = data.objective.statistics()
    space = SearchSpace.of(lists, stats, metric.corpus_values, data.objective.limits)
    none = np.zeros((0, len(data.theta)))  # no random directions: a step looks along the axes
    step = seconds(lambda: ClimbPoint(space, data.theta).step(none, ENOUGH))
    plain = seconds(lambda: numpy_envelopes(data), 1)
    with capsys.disabled():
        print(
            f"\nline search, 21 climbs: {ours:.2f} s, BLEU {1.0 - min(found.history):.5f};", end=" "
        )
        print(f"one step {1e3 * step:.1f} ms, {plain / step:.0f} x numpy's envelopes alone")


@pytest.mark.benchmark(group="line search")
def test_batch_mira(
    benchmark: BenchmarkFixture, data: Data, stream: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """60 epochs, against numpy."""

    def work() -> Solution:
        return BATCH_MIRA.solve(data.objective, data.theta)

    found = benchmark.pedantic(work, rounds=1, warmup_rounds=1)
    # all epochs take alike, so one of NumPy's is enough
    ours, plain = seconds(work), 60 * seconds(lambda: numpy_epoch(data), 1)
    whole = whole_process(stream, "batch-mira")
    with capsys.disabled():
        print(
            f"\nbatch MIRA, 60 epochs: {ours:.2f} s, BLEU {1.0 - min(found.history):.5f};", end=" "
        )
        print(f"{plain / ours:.0f} x numpy; whole process {whole:.2f} s")
