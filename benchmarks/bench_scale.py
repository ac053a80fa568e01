"""Passes over synthetic collections of any size: speed, memory, bytes on disk.

    CAMPANULA_FEATURES=45000000 python -m benchmarks.bench_scale [--shape wide] [--even 0.4]

The lists are those of synthetic_lists.py, of one of two shapes, whose features follow Zipf's law
but for the share --even.  There are 45 features a sentence.

Prints bytes on disk, then a table.  A line is a pass (the median of seven), or an iteration of a
solver with all its passes, such as that for the objective of its new weights.  Columns: seconds;
visits (an entry read once in a pass of scores or of gradients) a second and core; the packed bytes
read a second as a share of what memcpy reads; the peak of anonymous memory; and its growth in bytes
a feature.  Lines of passes end in the range of the visits.  The last lines are a pass in plain
NumPy and a product of scipy.sparse, over lists of one shard.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.resident import resident
from benchmarks.synthetic_lists import HYPOTHESES, SHAPES, Lists, make
from benchmarks.timing import seconds, times
from campanula.formats.collections.collection import Collection
from campanula.stages.tuning.settings import TuneSettings
from campanula.stages.tuning.sharded.loading import Loader
from campanula.stages.tuning.sharded.packing import pack
from campanula.stages.tuning.sharded.sharded_objective import ShardedObjective
from campanula.stages.tuning.sharded.sharded_set import ShardedSet
from campanula.stages.tuning.sharded.store import PackedShard
from campanula.stages.tuning.tune import objective_of

PASSES = 7
FEATURES = int(os.environ.get("CAMPANULA_FEATURES", "45000"))
SOLVERS: dict[str, dict[str, Any]] = {
    "rprop": {"loss": "expected-bleu", "solver": "rprop", "iterations": 1},
    "sgd": {"loss": "expected-bleu", "solver": "sgd", "epochs": 1, "eta": 0.1},
    "adagrad": {"loss": "expected-bleu", "solver": "adagrad", "epochs": 1, "eta": 0.1},
    "lbfgs": {"loss": "bayes-risk", "solver": "lbfgs", "iterations": 1},
    "ssd": {"loss": "ramp3", "solver": "ssd", "epochs": 1, "cccp_iterations": 1},
}


class Peak:
    """`with Peak() as peak:` measures the peak of anonymous memory, sampled every 20 ms."""

    def __enter__(self) -> Peak:
        self.before = self.bytes = resident()
        self._done = threading.Event()
        # sampled, since the kernel's own peak (VmHWM) counts mapped files and never falls; by a
        # thread, since the compiled loops let go of Python's lock while they run
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        return self

    def _look(self) -> None:
        while not self._done.wait(0.02):
            self.bytes = max(self.bytes, resident())

    def __exit__(self, *error: object) -> None:
        self._done.set()
        self._thread.join()


def memcpy_speed() -> float:
    """Bytes a second that memcpy reads on one core."""
    # 256 MiB, of which the caches of a core hold little
    one = np.ones(1 << 25)
    other = np.empty_like(one)
    return one.nbytes / seconds(lambda: np.copyto(other, one), 5)


@dataclass(frozen=True, slots=True)
class Counting(ShardedObjective):
    """An objective that counts its passes: `reads` of the lists, `visits` of every entry."""

    # lists of one number, since the dataclass is frozen
    visits: list[int] = field(default_factory=lambda: [0])
    reads: list[int] = field(default_factory=lambda: [0])

    def _passed(self, theta: NDArray[Any], gradient: NDArray[Any]) -> float:
        self.reads[0] += 1
        self.visits[0] += 1 + (len(gradient) > 0)
        return ShardedObjective._passed(self, theta, gradient)


def objective(data: ShardedSet, jobs: int, settings: dict[str, Any]) -> Counting:
    """Objective of a solver's settings, with the centre 0."""
    plan = TuneSettings(**settings, jobs=jobs).plan(sharded=True)
    # one number seen as a vector: a centre of its own would take 8 bytes a feature
    plain = objective_of(data, plan, np.broadcast_to(0.0, len(data.names)))
    return Counting(**{f.name: getattr(plain, f.name) for f in fields(plain)})


@dataclass(frozen=True, slots=True)
class Bench:
    """A mapped collection, the number of threads, and the speed of memcpy in bytes a second."""

    data: ShardedSet
    jobs: int
    memcpy: float

    @property
    def nbytes(self) -> int:
        """Bytes of the packed shards."""
        return sum(shard.nbytes for shard in self.data.shards)

    def theta(self) -> NDArray[np.float64]:
        """Random weights, the same in every run."""
        return np.random.default_rng(2).standard_normal(len(self.data.names)) * 0.1

    def line(self, name: str, taken: float, visits: float, read: float, peak: Peak) -> str:
        """A line of the table; taken: seconds; read: bytes that are read."""
        n = len(self.data.names)
        speed = visits / taken / self.jobs
        share = read / taken / self.memcpy
        above = (peak.bytes - peak.before) / n
        return (
            f"{name:24s}{taken:9.2f}{speed / 1e6:10,.0f}{share:9.0%}"
            f"{peak.bytes / 1e9:9.2f}{above:11.1f}"
        )

    def passes(self) -> Iterator[str]:
        """Passes by themselves: of scores, and of scores and gradients."""
        theta, n = self.theta(), self.data.n_entries
        for name, gradient in (("scores", 0), ("scores and gradients", len(theta))):
            risk = objective(self.data, self.jobs, SOLVERS["rprop"])
            visits = (1 + (gradient > 0)) * n
            with Peak() as peak:
                # not `value`: it remembers the loss of weights it has seen, and passes once
                found = times(lambda: risk._passed(theta, np.zeros(gradient)), PASSES)  # noqa: B023
            rates = [visits / taken / self.jobs / 1e6 for taken in (max(found), min(found))]
            spread = "{:9,.0f} to {:,.0f}".format(*rates)
            yield self.line(name, median(found), visits, self.nbytes, peak) + spread

    def solver(self, name: str) -> str:
        """An iteration of a solver."""
        plan = TuneSettings(**SOLVERS[name], jobs=self.jobs).plan(sharded=True)
        problem, theta = objective(self.data, self.jobs, SOLVERS[name]), self.theta()
        if plan.rounds:
            imputed = problem.impute(theta)
            assert isinstance(imputed, Counting)
            problem = imputed
        with Peak() as peak:
            start = time.perf_counter()
            plan.solver.solve(problem, theta, plan.solver_settings)
            taken = time.perf_counter() - start
        visits, reads = problem.visits[0], problem.reads[0]
        if plan.solver.inner_only:  # an epoch scores under two weights, and steps
            visits, reads = visits + 2, reads + 1
        return self.line(name, taken, visits * self.data.n_entries, reads * self.nbytes, peak)

    def plain(self) -> Iterator[str]:
        """The same pass over lists of one shard in NumPy, and its products in scipy.sparse."""
        from scipy.sparse import csr_array

        shard, lists = self.data.shards[0], 200
        ids = np.concatenate([global_ids(shard, i) for i in range(lists)])
        rows = lists * HYPOTHESES
        pointer = np.arange(rows + 1) * (len(ids) // rows)
        theta, gain = self.theta(), shard.lists.gain[:rows].reshape(lists, -1)
        gradient = np.zeros(len(theta))

        def expected(score: NDArray[Any]) -> NDArray[Any]:
            power = np.exp(score.reshape(lists, -1))
            share = power / power.sum(axis=1, keepdims=True)
            mean = (share * gain).sum(axis=1, keepdims=True)
            return np.asarray((share * (gain - mean)).reshape(-1))

        def numpy_pass() -> None:
            g = expected(np.add.reduceat(theta[ids], pointer[:-1]))
            # features occur many times in `ids`: gradient[ids] += ... would add one of them alone
            np.add.at(gradient, ids, np.repeat(g, np.diff(pointer)))

        matrix = csr_array((np.ones(len(ids)), ids, pointer), shape=(rows, len(theta)))
        turned = matrix.T

        def scipy_pass() -> None:
            gradient[:] = turned @ expected(matrix @ theta)

        for name, work in (("NumPy, one core", numpy_pass), ("scipy.sparse, one core", scipy_pass)):
            with Peak() as peak:
                taken = seconds(work, 2)
            one = Bench(self.data, 1, self.memcpy)
            yield one.line(name, taken, 2 * len(ids), self.nbytes * lists / self.data.n_lists, peak)


def global_ids(shard: PackedShard, i: int) -> NDArray[np.int32]:
    """Features of all hypotheses of a list, one after the other."""
    lists = shard.lists
    table = lists.table[lists.table_pointer[i] : lists.table_pointer[i + 1]]
    wide = len(table) > 256
    codes = lists.wide if wide else lists.narrow
    size = 2 if wide else 1
    span = slice(int(lists.binary_start[i]) // size, int(lists.binary_start[i + 1]) // size)
    return np.asarray(shard.ids[table][codes[span]])


def warm_up(shape: str) -> None:
    """Run every solver on two lists, so that the kernels are compiled."""
    lists = Lists(1000, shape)
    tiny = PackedShard.of("tiny", pack([lists.list(sid) for sid in range(2)], "tiny"))
    bench = Bench(ShardedSet([tiny], lists.names, "tiny", ""), 1, 1.0)
    for name in SOLVERS:
        bench.solver(name)


def rows(folder: str, shape: str, even: float, jobs: int) -> Iterator[str]:
    """Yield the lines that are printed."""
    path, cache = os.path.join(folder, "collection"), os.path.join(folder, "cache")
    made = 0.0 if os.path.isdir(path) else seconds(lambda: make(path, FEATURES, shape, even), 1)
    start = time.perf_counter()
    data = Loader(cache, jobs=jobs).load(path)
    packed = time.perf_counter() - start
    bench = Bench(data, jobs, memcpy_speed())
    n, on_disk = data.n_entries, sum(shard.bytes for shard in Collection.open(path).shards)
    touched = sum(shard.n_features for shard in data.shards)
    yield f"shape {shape}: {len(data.names):,} features, {data.n_lists:,} lists, {n:,} entries"
    yield f"{len(data.shards)} shards, which have {touched / len(data.shards):,.0f} features each"
    yield f"made in {made:.0f} s, packed and checked in {packed:.0f} s"
    yield f"on disk: streams {on_disk / n:.2f} bytes an entry, packed {bench.nbytes / n:.2f}"
    yield f"memcpy reads {bench.memcpy / 1e9:.1f} GB a second on one core; {jobs} threads"
    yield (
        f"{'':24s}{'seconds':>9s}{'M visits':>10s}{'memcpy':>9s}{'GB anon':>9s}{'B/feature':>11s}"
    )
    warm_up(shape)
    yield from bench.passes()
    for name in SOLVERS:
        yield bench.solver(name)
    yield from bench.plain()


def main() -> None:
    """Print the table of a shape."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shape", choices=SHAPES, default="narrow")
    parser.add_argument("--even", type=float, default=0.0, help="share drawn from all alike")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folder", help="where collection and packed shards are kept")
    args = parser.parse_args()
    if args.folder is not None:
        os.makedirs(args.folder, exist_ok=True)
        for line in rows(args.folder, args.shape, args.even, args.jobs):
            print(line, flush=True)
        return
    with tempfile.TemporaryDirectory() as folder:
        for line in rows(folder, args.shape, args.even, args.jobs):
            print(line, flush=True)


if __name__ == "__main__":
    main()
