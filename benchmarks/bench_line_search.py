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
import numpy.typing as npt
import pytest

from benchmarks.timing import seconds
from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader
from campanula.formats.weights import Weights
from campanula.stages import import_nbest, import_weights, merge_kbest, score_bleu
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.kernels.metrics.bleu import corpus_bleu
from campanula.stages.tuning import batch_mira, line_search
from campanula.stages.tuning.packing import join
from tests.examples import MOSES, MULTI30K


class Data(NamedTuple):
    """Merged lists and their statistics; theta (n_features,), Moses's default weights."""

    lists: Lists
    stats: Ints
    theta: Floats

    @property
    def free(self) -> npt.NDArray[np.bool_]:
        return np.ones(len(self.theta), bool)


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
    """Features and statistics of the merged lists."""
    with Reader(stream, KBest) as reader:
        records = list(reader)
    stats = np.concatenate([record.stats for record in records if record.stats is not None])
    weights = Weights.read(str(Path(stream).with_name("weights")))
    theta = np.array([weights[name] for name in reader.names])
    return Data(join([record.features for record in records]), stats, theta)


def whole_process(stream: str, solver: str) -> float:
    """Wall time of `optimize` from Moses's defaults, process start and reading included."""
    weights = Path(stream).with_name("weights")
    command = [
        Path(sys.executable).parent / "optimize",
        stream,
        "--solver",
        solver,
        "-q",
        "--allow-missing",
    ]
    command += ["--weights", weights, "-o", weights.with_name("tuned")]
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
            line = np.lexsort((-score, slope))[0]
            while (steeper := np.flatnonzero(slope > slope[line])).size:
                x = (score[line] - score[steeper]) / (slope[steeper] - slope[line])
                first = steeper[x == x.min()]
                line = first[slope[first].argmax()]
                corners += 1
    return corners


def numpy_epoch(data: Data) -> float:
    """The parts of one epoch that take time: scores twice, and BLEU with a background."""
    found = 0.0
    lists, theta = data.lists, data.theta
    background = np.ones(10)
    for i in range(lists.n_lists):
        first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
        start = lists.dense_start[i]
        columns = lists.dense[start : start + len(theta) * (last - first)].reshape(len(theta), -1)
        score = theta @ columns
        total = data.stats[first:last] + background
        bleu = np.exp(np.log(total[:, 2:6] / total[:, 6:]).mean(axis=1))
        bleu *= np.exp(np.minimum(0.0, 1.0 - total[:, 1] / total[:, 0])) * total[:, 1]
        hope, fear = (score + bleu).argmax(), (score - bleu).argmax()
        found += bleu[hope] - bleu[fear] + (theta @ columns).argmax()
    return found


@pytest.mark.benchmark(group="line search")
def test_line_search(benchmark, data, capsys):
    """20 restarts; one search of all axes against numpy's envelopes alone."""
    settings = line_search.Settings(restarts=20)

    def work() -> line_search.Result:
        return line_search.line_search(*data, corpus_bleu, data.free, settings)

    found = benchmark.pedantic(work, rounds=1, warmup_rounds=1)
    ours = seconds(work, 2)
    search = line_search.Search(data.lists, data.stats, corpus_bleu, data.free, settings)
    none = np.zeros((0, len(data.theta)))
    step = seconds(lambda: line_search.Point(search, data.theta).step(none))
    plain = seconds(lambda: numpy_envelopes(data), 1)
    with capsys.disabled():
        print(f"\nline search, 21 climbs: {ours:.2f} s, BLEU {found.metric:.5f};", end=" ")
        print(f"one step {1e3 * step:.1f} ms, {plain / step:.0f} x numpy's envelopes alone")


@pytest.mark.benchmark(group="line search")
def test_batch_mira(benchmark, data, stream, capsys):
    """60 epochs, against numpy."""

    def work() -> batch_mira.Result:
        return batch_mira.batch_mira(*data, corpus_bleu, data.free, batch_mira.Settings())

    found = benchmark.pedantic(work, rounds=1, warmup_rounds=1)
    ours, plain = seconds(work), 60 * seconds(lambda: numpy_epoch(data), 1)
    whole = whole_process(stream, "batch-mira")
    with capsys.disabled():
        print(f"\nbatch MIRA, 60 epochs: {ours:.2f} s, BLEU {found.metric:.5f};", end=" ")
        print(f"{plain / ours:.0f} x numpy; whole process {whole:.2f} s")
